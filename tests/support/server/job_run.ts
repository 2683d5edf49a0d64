import assert from "node:assert/strict";
import { AppError, type Sentence } from "@/lib/base/errors.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import type { JobId, JobKind } from "@/lib/jobs/kind.ts";
import { putJob } from "@/lib/jobs/put.ts";
import { type AnyWorker, type HeldJob, type Job, type JobDeps, worker } from "@/lib/jobs/worker.ts";
import { StoreLimitError } from "@/lib/store/limits.ts";
import type { Atomic, Store } from "@/lib/store/store.ts";
import {
  type End,
  failAs,
  foreignKind,
  HANGING,
  type Input,
  kindOf,
  type PlannedJob,
  type PlannedKind,
} from "./random_jobs.ts";

const LIMIT_MS = 300;
const STEPS = 3;

/** A job, and how often it was done. */
export interface SeenJob {
  plan: PlannedJob;
  /** Null if the store has refused its input. */
  id: JobId | null;
  runs: number;
  /** Reasons that were reported elsewhere. */
  told: string[];
  /** Whether an attempt had too little time on this machine. */
  isSlow: boolean;
}

interface Open {
  server: Store;
  project: number | null;
  group: string;
}

/** The jobs of a planned kind, whose worker notes and checks how they are done. */
export interface KindRun {
  plan: PlannedKind;
  kind: JobKind<Input>;
  worker: AnyWorker;
  jobs: Map<string, SeenJob>;
  /** Names of jobs in the order of their first attempts. */
  begun: string[];
  /** Attempts that have run beside too many others. */
  faults: string[];
  put(deps: JobDeps, planned: PlannedJob, n: number): Promise<void>;
  /** Resolves when no attempt goes on, also of those that have ignored their limit. */
  settled(): Promise<unknown>;
  /** Ends the state in which jobs wait. */
  release(kv: Store): Promise<void>;
}

const heldRow = (name: string): Deno.KvKey => ["held", name];
/** Counts how often a part of a job was done, in the commit that does it. */
export const effectKey = (
  kind: string,
  name: string,
  part: string,
): Deno.KvKey => ["effects", kind, name, part];

export function newKindRun(plan: PlannedKind, name: string, isCalm: boolean): KindRun {
  const kind = kindOf(plan, name);
  const jobs = new Map<string, SeenJob>();
  const begun: string[] = [];
  const faults: string[] = [];
  const open = new Set<Open>();
  const working = new Set<Promise<void>>();

  /** Notes an attempt, and finds those that should not be under way at the same time. */
  function begin({ kv: server }: JobDeps, { input, signal }: Job<Input>): () => void {
    const one = { server, project: input.project_id ?? null, group: groupOf(kind, input) };
    const { parallel, perProject = Math.max(1, parallel - 1), inOrder } = plan;
    const perGroup = inOrder ? 1 : plan.perGroup ?? parallel;
    const here = [...open].filter((other) => other.server === server);
    const count = (some: Open[]) => some.length + 1;
    if (count(here) > parallel) faults.push(`${input.name}: more than ${parallel}`);
    const ofProject = here.filter(({ project }) => project === one.project);
    if (one.project !== null && count(ofProject) > perProject) {
      faults.push(`${input.name}: more than ${perProject} of its project`);
    }
    const ofGroup = ({ group }: Open) => group === one.group;
    if (count(here.filter(ofGroup)) > perGroup) {
      faults.push(`${input.name}: more than ${perGroup} of its group`);
    }
    // Leases expire when the clock is set forward.
    if (inOrder && isCalm && [...open].some(ofGroup)) faults.push(`${input.name}: not alone`);
    open.add(one);
    const end = () => void open.delete(one);
    signal.addEventListener("abort", end);
    return end;
  }

  function run(deps: JobDeps, job: Job<Input>): Promise<void> {
    const work = attempt(deps, job);
    const settled = work.catch(() => {}).finally(() => working.delete(settled));
    working.add(settled);
    return work;
  }

  async function attempt(deps: JobDeps, job: Job<Input>): Promise<void> {
    const seen = jobs.get(job.input.name)!;
    const end = begin(deps, job);
    if (seen.runs++ === 0) begun.push(job.input.name);
    const way = job.input.step > 0 ? undefined : seen.plan.failures[job.attempt - 1] ??
      (seen.plan.end ? undefined : seen.plan.failures.at(-1));
    const commit = (op: Atomic, part: string) => commitPart(op, kind, job.input.name, part);
    if (way === undefined || !HANGING.has(way)) {
      job.signal.addEventListener("abort", () => {
        if (job.signal.reason instanceof AppError) seen.isSlow = true;
      });
    }
    try {
      if (way !== undefined) {
        return await failAs(way, deps.kv, job, async (op) => {
          await job.end(op);
          await commit(op, "end");
        });
      }
      await finishAs(seen.plan.end!, deps, kind, job, commit);
    } finally {
      end();
    }
  }

  async function gaveUp(_deps: JobDeps, { input }: HeldJob<Input>, { key }: Sentence) {
    jobs.get(input.name)!.told.push(key);
    if (plan.tells === "throws") throw new Error("It cannot be told");
    if (plan.tells === "hangs") await sleep(LIMIT_MS + 50);
    return plan.tells === "told";
  }

  const { parallel, perProject, perGroup, inOrder, attempts, inDeletion, heldMs, tells } = plan;
  let isHeld = heldMs > 0;
  return {
    plan,
    kind,
    jobs,
    begun,
    faults,
    worker: worker<Input, JobDeps>({
      ...{ kind, parallel, perProject, perGroup, inOrder, attempts, inDeletion, run },
      waitsMs: [5, 10],
      limitMs: LIMIT_MS,
      ...heldMs > 0 && {
        hold: () => ({
          row: heldRow(name),
          waitMs: () => Promise.resolve(isHeld ? Infinity : 0),
        }),
      },
      ...tells && { gaveUp },
    }),
    async put(deps, planned, n) {
      const seen: SeenJob = { plan: planned, id: null, runs: 0, told: [], isSlow: false };
      jobs.set(nameOf(n), seen);
      seen.id = await putPlanned(deps, kind, planned, n);
    },
    settled: () => Promise.all(working),
    async release(kv) {
      isHeld = false;
      await kv.set(heldRow(name), 1);
    },
  };
}

const groupOf = (kind: JobKind<Input>, input: Input) => kind.groupBy!(input);
const nameOf = (n: number) => `job ${String(n).padStart(2, "0")}`;

/** Puts a job. Resolves to its id, or to null if the store refuses its input. */
async function putPlanned(
  { kv, clock }: JobDeps,
  kind: JobKind<Input>,
  { project, group, padding, isForeign, afterMs }: PlannedJob,
  n: number,
): Promise<JobId | null> {
  const op = kv.atomic();
  // Jobs that wait for the first server have an order.
  const at = afterMs > 0 ? undefined : new Date(clock.now().getTime() - 60_000 + n);
  const project_id = project === null ? {} : { project_id: project };
  try {
    const id = isForeign
      ? putJob(op, { clock }, foreignKind(kind.name), {
        ...project_id,
        padding: "x".repeat(padding),
      }, at)
      : putJob(op, { clock }, kind, inputOf(project_id, group, nameOf(n), padding), at);
    await op.commit();
    return id;
  } catch (error) {
    assert.ok(error instanceof StoreLimitError && padding > 60_000, String(error));
    return null;
  }
}

const inputOf = (
  project: { project_id?: number },
  group: string,
  name: string,
  padding: number,
): Input => ({ ...project, group, name, step: 0, padding: "x".repeat(padding) });

async function commitPart(op: Atomic, { name }: JobKind<Input>, job: string, part: string) {
  op.sum(effectKey(name, job, part), 1n);
  if (!(await op.commit()).ok) throw new Error("The commit was refused");
}

/** Does all work of a job. */
async function finishAs(
  end: End,
  deps: JobDeps,
  kind: JobKind<Input>,
  job: Job<Input>,
  commit: (op: Atomic, part: string) => Promise<void>,
): Promise<void> {
  const { kv, clock } = deps;
  const { input } = job;
  const op = kv.atomic();
  if (end === "resolves") return;
  if (end === "keeps_progress") {
    for (let step = input.step + 1; step <= STEPS; step++) {
      const op = kv.atomic();
      await job.keep(op, { ...input, step });
      await commit(op, `step ${step}`);
    }
    return;
  }
  if (end === "comes_again" && input.step === 0) {
    await job.again(op, new Date(clock.now().getTime() + 5), { ...input, step: 1 });
    return await commit(op, "step 1");
  }
  if (end === "is_put_again" && input.step === 0 && kind.uniqueBy) {
    putJob(op, { clock }, kind, { ...input, step: 1 });
    // Its attempt that is no longer the job's must neither store something nor fail it.
    await commit(op, "step 1");
    return await job.end(kv.atomic());
  }
  await job.end(op);
  await commit(op, "end");
}

/** Returns the parts of a job that are done once, by the way in which it ends. */
export const partsOf = ({ plan: { isUnique } }: KindRun, end: End): string[] => {
  switch (end) {
    case "resolves":
      return [];
    case "ends":
      return ["end"];
    case "keeps_progress":
      return ["step 1", "step 2", "step 3"];
    case "comes_again":
      return ["step 1", "end"];
    case "is_put_again":
      return isUnique ? ["step 1", "end"] : ["end"];
  }
};
