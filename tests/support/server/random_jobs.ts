import * as z from "zod";
import * as fc from "@/tests/packages/fast_check.ts";
import { AppError, notFound, stale } from "@/lib/base/errors.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { type JobKind, jobKind } from "@/lib/jobs/kind.ts";
import type { Job } from "@/lib/jobs/worker.ts";
import { LIMITS } from "@/lib/store/limits.ts";
import type { Store } from "@/lib/store/store.ts";

/** Ways in which an attempt fails, and the reason with which its job is then set aside. */
export const REASONS = {
  refuses: "errors.not_found",
  refuses_at_length: "errors.not_found",
  has_a_bug: "errors.jobs.unexpected",
  throws_no_error: "errors.jobs.unexpected",
  is_late: "errors.stale",
  hangs: "errors.jobs.time_limit",
  ignores_its_signal: "errors.jobs.time_limit",
  checks: "errors.jobs.unexpected",
  mutations: "errors.jobs.unexpected",
  commit_bytes: "errors.jobs.unexpected",
  value_bytes: "errors.jobs.unexpected",
  key_bytes: "errors.jobs.unexpected",
  progress_bytes: "errors.jobs.unexpected",
  grows: "errors.jobs.unexpected",
} as const;
type Failure = keyof typeof REASONS;
export const HANGING: ReadonlySet<string> = new Set<Failure>(["hangs", "ignores_its_signal"]);

/** Ways in which an attempt does all of its work. */
const ENDS = ["resolves", "ends", "keeps_progress", "comes_again", "is_put_again"] as const;
export type End = typeof ENDS[number];

/** Events of a project while its jobs are done. */
const FATES = ["stays", "is_gone", "goes", "returns"] as const;
export type Fate = typeof FATES[number];

/** A job, as it is put, and as its attempts go. */
export interface PlannedJob {
  /** Its project, from 1; null for none. */
  project: number | null;
  group: string;
  /** How its first attempts fail. */
  failures: Failure[];
  /** How the attempt after them ends; null if the last one is repeated. */
  end: End | null;
  /** Bytes of text in its input. */
  padding: number;
  /** Whether it is as another version has stored it. */
  isForeign: boolean;
  /** When it is put; at 0 before the servers start. */
  afterMs: number;
}

export interface PlannedKind {
  parallel: number;
  perProject?: number;
  perGroup?: number;
  inOrder: boolean;
  isUnique: boolean;
  attempts: number;
  inDeletion: boolean;
  /** When its jobs may begin; at 0 always. */
  heldMs: number;
  /** Outcome of reporting a failure elsewhere. */
  tells?: "told" | "not_told" | "throws" | "hangs";
  jobs: PlannedJob[];
}

export interface Plan {
  kinds: PlannedKind[];
  /** Fates of projects 1 to 3, and when they come. */
  fates: Fate[];
  fatesMs: number;
}

const failure = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(REASONS) as Failure[]) },
  { weight: 8, arbitrary: fc.constantFrom<Failure>("refuses", "has_a_bug", "is_late") },
);

const plannedJob: fc.Arbitrary<PlannedJob> = fc.record({
  project: fc.constantFrom(null, 1, 2, 3),
  group: fc.constantFrom("a", "b"),
  failures: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Failure[]>([]) },
    { weight: 3, arbitrary: fc.array(failure, { minLength: 1, maxLength: 4 }) },
  ),
  end: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ENDS) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  padding: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(6_000).map((n) => LIMITS.valueBytes - n) },
  ),
  isForeign: fc.nat(9).map((n) => n === 0),
  afterMs: fc.oneof(fc.constant(0), fc.nat(150)),
}).map((job) => ({
  ...job,
  // A job that never ends must fail. Progress counts attempts from 1 again.
  failures: job.failures.length === 0 && job.end === null
    ? ["refuses" as const]
    : job.failures.map((one, n) => one === "grows" && n > 0 ? "has_a_bug" : one),
}));

const plannedKind: fc.Arbitrary<PlannedKind> = fc.record({
  parallel: fc.integer({ min: 1, max: 4 }),
  perProject: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  perGroup: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  inOrder: fc.boolean(),
  isUnique: fc.boolean(),
  attempts: fc.integer({ min: 1, max: 4 }),
  inDeletion: fc.boolean(),
  heldMs: fc.oneof(fc.constant(0), fc.nat(200)),
  tells: fc.option(fc.constantFrom("told", "not_told", "throws", "hangs"), { nil: undefined }),
  jobs: fc.array(plannedJob, { minLength: 4, maxLength: 10 }),
}).map((kind) => ({
  ...kind,
  // The group of a job that is put again waits until the lease of its last attempt has expired.
  jobs: kind.inOrder
    ? kind.jobs.map((job) => job.end === "is_put_again" ? { ...job, end: "ends" as const } : job)
    : kind.jobs,
}));

/** Kinds of jobs with every policy, and what happens to their projects. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  kinds: fc.array(plannedKind, { minLength: 3, maxLength: 5 }),
  fates: fc.tuple(
    fc.constant<Fate>("stays"),
    fc.constantFrom(...FATES),
    fc.constantFrom(...FATES),
  ),
  fatesMs: fc.nat(200),
});

const schema = z.strictObject({
  project_id: z.int().optional(),
  group: z.string(),
  name: z.string(),
  /** How far it is. At more than 0, it does not fail. */
  step: z.int(),
  padding: z.string(),
});
export type Input = z.infer<typeof schema>;

export const kindOf = ({ isUnique }: PlannedKind, name: string): JobKind<Input> =>
  jobKind<Input>({
    name,
    schema,
    groupBy: ({ project_id, group }) => `${project_id} ${group.toUpperCase()}`,
    ...isUnique && { uniqueBy: ({ name }) => name },
  });

/** The same kind as another version knows it, whose inputs have no group. */
export const foreignKind = (name: string): JobKind<object> =>
  jobKind<object>({ name, schema: z.looseObject({}) });

/** Makes an attempt that fails. What it adds to its commits would count as an end. */
export async function failAs(
  way: Failure,
  kv: Store,
  job: Job<Input>,
  finish: (op: ReturnType<Store["atomic"]>) => Promise<void>,
): Promise<void> {
  const op = kv.atomic();
  switch (way) {
    case "refuses":
      throw notFound();
    case "refuses_at_length":
      throw new AppError(404, "errors.not_found", { name: "漢".repeat(100_000) });
    case "has_a_bug":
      throw new TypeError("漢".repeat(1_000));
    case "throws_no_error":
      return await Promise.reject();
    case "is_late":
      throw stale();
    case "hangs":
      await sleep(60_000, { signal: job.signal });
      throw job.signal.reason;
    case "ignores_its_signal":
      await sleep(60_000, { signal: job.signal });
      await sleep(20);
      return await finish(op);
    case "grows":
      await job.keep(op, { ...job.input, padding: "x".repeat(LIMITS.valueBytes - bytesLeft()) });
      await op.commit();
      throw new Error("It has grown");
    case "progress_bytes":
      return await job.keep(op, { ...job.input, padding: "漢".repeat(LIMITS.valueBytes) });
  }
  await job.end(op);
  for (let n = 0; n < LIMITS.checks && way === "checks"; n++) {
    op.check({ key: ["filler", n], versionstamp: null });
  }
  for (let n = 0; n < LIMITS.mutations && way === "mutations"; n++) op.set(["filler", n], n);
  for (let n = 0; n < 20 && way === "commit_bytes"; n++) op.set(["filler", n], "x".repeat(60_000));
  if (way === "value_bytes") op.set(["filler"], "漢".repeat(40_000));
  if (way === "key_bytes") op.set(["filler", "k".repeat(3_000)], 1);
  return await finish(op);
}

/** Bytes below the limit of a row, of which some leave too little room for its other members. */
const bytesLeft = () => Math.floor(Math.random() * 6_000);
