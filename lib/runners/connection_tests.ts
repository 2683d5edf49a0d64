import type { Deps } from "../access/deps.ts";
import { whenAborted } from "../base/time/abort.ts";
import { after } from "../base/time/after.ts";
import { AppError } from "../base/errors.ts";
import { parseWith } from "../base/parse.ts";
import {
  TEST_LIMIT_MS,
  type TestAnswers,
  testAnswerSchemas,
  type TestPlan,
} from "../runner/connection_tests.ts";
import { heldSentence } from "../runner/held_sentence.ts";
import { abilitiesFor, isAble, requirePortable } from "../runner/portable.ts";
import type { TestReport } from "../runner/protocol.ts";
import { isOnline, seenRunners } from "./presence.ts";
import { listRunners } from "./repository.ts";
import { type RunnerRow, servesProject } from "./rows.ts";
import { memoryPart } from "../store/memory.ts";
import type { Store } from "../store/store.ts";

interface Place {
  projectId: number;
  labels: string[];
  check: TestPlan;
}

/** A connection test that a person or a schedule waits for at this server. */
interface Wanted extends Place {
  id: string;
  /** The runner that has it; null while it waits. */
  runnerId: number | null;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Connection tests by id. They are not stored: they end with the request that waits. */
const wanted = memoryPart("tests for runners", () => new Map<string, Wanted>());

/** Whether a runner may take a connection test. */
const canTake = (runner: RunnerRow, { projectId, labels, check }: Place): boolean =>
  isAble(runner, abilitiesFor(check)) && runner.state === "active" &&
  runner.token_hash !== null &&
  servesProject(runner, projectId) && labels.every((label) => runner.labels.includes(label));

/**
 * Lets a runner with these labels carry out a connection test. The first that polls this server
 * takes it. Throws 422 if no such runner is online, when the runner reports a failure, and when no
 * answer arrives in time. Throws the reason of `stop` when it is aborted.
 */
export async function testOnRunner<C extends TestPlan>(
  deps: Pick<Deps, "kv" | "clock" | "wakeDispatcher">,
  { projectId, labels }: Omit<Place, "check">,
  check: C,
  stop: AbortSignal,
): Promise<TestAnswers[C["kind"]]> {
  const { kv } = deps;
  requirePortable("repository" in check ? check.repository : check.inventory.repository);
  const place = { projectId, labels, check };
  await requireRunner(deps, place);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const id = crypto.randomUUID();
  const checks = wanted.of(kv);
  checks.set(id, { id, ...place, runnerId: null, resolve, reject });
  const release = whenAborted(stop, () => reject(stop.reason));
  const late = { seconds: TEST_LIMIT_MS / 1000 };
  const cancel = after(
    TEST_LIMIT_MS,
    () => reject(new AppError(422, "errors.connection_tests.no_answer", late)),
  );
  deps.wakeDispatcher();
  try {
    return await promise as TestAnswers[C["kind"]];
  } finally {
    release();
    cancel();
    checks.delete(id);
  }
}

async function requireRunner({ kv, clock }: Pick<Deps, "kv" | "clock">, place: Place) {
  const seen = await seenRunners(kv);
  const now = clock.now();
  const runners = await listRunners(kv);
  if (runners.some((row) => canTake(row, place) && isOnline(seen.get(row.id), now))) return;
  throw place.labels.length > 0
    ? new AppError(422, "errors.connection_tests.no_labels", { labels: place.labels.join(", ") })
    : new AppError(422, "errors.connection_tests.no_runner");
}

/** Whether a connection test waits that this runner can take. */
export const hasTestFor = (kv: Store, runner: RunnerRow): boolean =>
  nextFor(kv, runner) !== undefined;

const nextFor = (kv: Store, runner: RunnerRow): Wanted | undefined =>
  wanted.of(kv).values().find((its) => its.runnerId === null && canTake(runner, its));

/** Gives a runner the next connection test that it can take; null if there is none. */
export function takeTest(
  kv: Store,
  runner: RunnerRow,
): Pick<Wanted, "id" | "projectId" | "check"> | null {
  const next = nextFor(kv, runner);
  if (next) next.runnerId = runner.id;
  return next ?? null;
}

/** Passes a runner's answer to the request that waits for it. Ignores it if none waits. */
export function answerCheck(
  kv: Store,
  runner: RunnerRow,
  id: string,
  { answer, failure }: TestReport,
): void {
  const own = wanted.of(kv).get(id);
  if (own?.runnerId !== runner.id) return;
  if (failure) {
    const { key, params } = heldSentence(failure);
    own.reject(new AppError(422, key, params));
  } else own.resolve(parseWith(testAnswerSchemas[own.check.kind], answer));
}
