import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../access/deps.ts";
import { describeError } from "../base/log.ts";
import { rowKeys } from "../store/keys.ts";
import { takeCall } from "../store/limiters/bucket.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { memoryPart } from "../store/memory.ts";
import { transact } from "../store/transact.ts";
import { writeAll } from "../store/rows/write_all.ts";
import type { Store } from "../store/store.ts";
import { RUNNER_SILENT_MS, type RunnerFacts } from "../runner/protocol.ts";
import { tooManyCalls, unknownRunner } from "./authenticate.ts";
import { findRunnerEntry, listRunners, putRunner } from "./repository.ts";
import type { RunnerRow } from "./rows.ts";

/** Time when a runner was last seen, and its newest process. Times are in milliseconds. */
export interface RunnerSeen {
  at: number;
  session: string;
  session_at: number;
  /** Whether the process has ended in order. */
  left: boolean;
}

/** Whether a runner was seen so recently that it is not silent, and has not left since. */
export const isOnline = (seen: Pick<RunnerSeen, "at" | "left"> | undefined, now: Date): boolean =>
  seen !== undefined && !seen.left && now.getTime() - seen.at < RUNNER_SILENT_MS;

/** Stored row of the newest process of a runner. */
export interface RunnerSession {
  session: string;
  session_at: number;
  /** Whether it has ended in order. */
  left?: true;
  /** The processes before it, latest first, which must end. */
  replaced: string[];
}

const REPLACED_MAX = 10;
/** Together with a poll, shorter than the time after which a runner is shown as silent. */
const STORED_EVERY_MS = 10_000;

/** Times that this process has not stored yet, by runner. */
const unstored = memoryPart("times of runners", () => new Map<number, number>());

/** Runners that this process has seen, with the time, until they fall silent. */
const heard = memoryPart("runners that call", () => new Map<number, number>());

/**
 * Records that a process of the runner was seen. Returns "replaced" if a newer process has the
 * runner's token, so that this one must end. Times are kept in memory and stored at intervals, but
 * a new process, and one that is `leaving`, is stored immediately. Throws 429 for too many of them.
 */
export async function touchRunner(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  runner: RunnerRow,
  session: string,
  facts: RunnerFacts,
  leaving = false,
): Promise<"current" | "replaced"> {
  const now = clock.now().getTime();
  const waitSeconds = () => takeCall(kv, `runner ${runner.id}`, clock.ticks());
  const { value: known } = await kv.get<RunnerSession>(rowKeys.runnerSession(runner.id));
  if (known?.replaced.includes(session)) return "replaced";
  if (known?.session !== session || (known.left ?? false) !== leaving) {
    const seconds = waitSeconds();
    if (seconds > 0) throw tooManyCalls(seconds);
    if (!await storeSession(kv, runner.id, session, leaving, now)) return "replaced";
  }
  unstored.of(kv).set(runner.id, now);
  heard.of(kv).set(runner.id, now);
  const isNews = !isDeepStrictEqual(runner.facts, facts);
  if (isNews && waitSeconds() === 0) await storeFacts(kv, runner.id, facts);
  return "current";
}

/**
 * Stores a new process of a runner, or that it leaves. Returns false if a newer one has replaced it
 * meanwhile.
 */
const storeSession = (
  kv: Store,
  id: number,
  session: string,
  leaving: boolean,
  now: number,
): Promise<boolean> =>
  transact(kv, async (op) => {
    const [runner, entry] = await kv.getMany<[RunnerRow, RunnerSession]>([
      rowKeys.runner(id),
      rowKeys.runnerSession(id),
    ]);
    if (runner.value === null) throw unknownRunner();
    const { session: last, session_at = now, left = false, replaced = [] } = entry.value ?? {};
    if (replaced.includes(session)) return false;
    const isNew = last !== session;
    if (!isNew && left === leaving) return true;
    const row: RunnerSession = {
      session,
      session_at: isNew ? now : session_at,
      ...leaving && { left: true },
      replaced: isNew && last ? [last, ...replaced].slice(0, REPLACED_MAX) : replaced,
    };
    op.check(runner, entry).set(entry.key, row).set(rowKeys.runnerSeen(id), now)
      .set(rowKeys.tasksWake(), id);
    return true;
  });

const storeFacts = (kv: Store, id: number, facts: RunnerFacts): Promise<void> =>
  transact(kv, async (op) => {
    const entry = await findRunnerEntry(kv, id);
    if (!entry) return;
    op.check(entry).set(entry.key, { ...entry.value, facts }).set(rowKeys.runnersStamp(), id)
      .set(rowKeys.tasksWake(), id);
  });

/**
 * Records whether a runner's program is too old for this server, so that the queue can say why it
 * takes no task.
 */
export async function noteProtocol(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { id, outdated = false }: RunnerRow,
  isOutdated: boolean,
): Promise<void> {
  if (outdated === isOutdated || takeCall(kv, `runner ${id}`, clock.ticks()) > 0) return;
  await transact(kv, async (op) => {
    const entry = await findRunnerEntry(kv, id);
    if (!entry) return;
    const { outdated: _, ...row } = entry.value;
    putRunner(op.check(entry), { ...row, ...isOutdated && { outdated: true } });
  });
}

/** Returns when each runner was last seen. Runners that were never seen are left out. */
export async function seenRunners(kv: Store): Promise<Map<number, RunnerSeen>> {
  const sessions = kv.list<RunnerSession>({ prefix: rowKeys.runnerSessions() }, { batchSize: 500 });
  const times = kv.list<number>({ prefix: rowKeys.runnersSeen() }, { batchSize: 500 });
  const stored = new Map(
    await Array.fromAsync(times, ({ key, value }) => [key[1] as number, value] as const),
  );
  const seen = new Map<number, RunnerSeen>();
  for await (const { key, value: { session, session_at, left = false } } of sessions) {
    const id = key[1] as number;
    const at = Math.max(session_at, stored.get(id) ?? 0, unstored.of(kv).get(id) ?? 0);
    seen.set(id, { at, session, session_at, left });
  }
  return seen;
}

/** Stores the times that are only in memory, in as few commits as possible. */
async function storeTimes(kv: Store): Promise<void> {
  const times = unstored.of(kv);
  if (times.size === 0) return;
  // Another server may have deleted a runner since.
  const known = new Set((await listRunners(kv)).map(({ id }) => id));
  const stored = [...times].filter(([id]) => known.has(id));
  await writeAll(kv, stored, (op, [id, at]) => op.set(rowKeys.runnerSeen(id), at));
  for (const [id, at] of stored) if (times.get(id) === at) times.delete(id);
  for (const id of times.keys()) if (!known.has(id)) times.delete(id);
}

/**
 * Wakes those who show why tasks wait when runners have fallen silent, which changes no row. If one
 * of them calls another server now, they look once for nothing.
 */
async function noteSilence({ kv, clock }: Pick<Deps, "kv" | "clock">): Promise<void> {
  const times = heard.of(kv);
  const now = clock.now().getTime();
  const silent = [...times].filter(([, at]) => now - at >= RUNNER_SILENT_MS).map(([id]) => id);
  if (silent.length === 0) return;
  await kv.set(rowKeys.tasksWake(), silent[0]);
  for (const id of silent) times.delete(id);
}

/**
 * Starts to store at intervals when runners were seen. Stopping it stores the times once more. A
 * failure is logged, because the runners call again.
 */
export function startPresence({ kv, clock, log }: Pick<Deps, "kv" | "clock" | "log">): Loop {
  const loop = startLoop({ kv, log }, {
    name: "presence",
    async step() {
      await storeTimes(kv);
      await noteSilence({ kv, clock });
      return STORED_EVERY_MS;
    },
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await storeTimes(kv).catch((error) => log("error", "presence_failed", describeError(error)));
    },
  };
}
