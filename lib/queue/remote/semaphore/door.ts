import type { PublicDeps } from "../../../access/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { replacedRunner, runnerOfToken, unknownRunner } from "../../../runners/authenticate.ts";
import { touchRunner } from "../../../runners/presence.ts";
import type { RunnerRow } from "../../../runners/rows.ts";
import { type OpenTask, readOpenTasks } from "../../../tasks/open_tasks.ts";
import { endTasksOfEarlierProcesses } from "../lost.ts";
import { ownerName } from "../../leases/runner_owner.ts";
import type { RunnerDeps } from "../remote.ts";

/** A call as it arrived, with its URL as the proxy saw it. */
export interface Caller {
  headers: Headers;
  url: URL;
}

/** A runner of Semaphore that calls, and its tasks. */
export interface Visitor {
  runner: RunnerRow;
  /** Its process, as far as its calls identify one. */
  session: string;
  own: OpenTask[];
}

/**
 * Throws 403 unless the server accepts Semaphore's runners and the call came through TLS. They
 * send and receive tokens and the secrets of tasks unencrypted.
 */
export function requireSemaphoreAccess(
  { config }: PublicDeps,
  { headers, url }: Caller,
): void {
  if (!config.semaphoreRunners) throw new AppError(403, "errors.runners.semaphore_disabled");
  // A trusted proxy knows best. Without its header, the configured address counts.
  const isSetByProxy = config.trustProxy && headers.has("x-forwarded-proto");
  const { protocol } = isSetByProxy ? url : config.url ?? url;
  if (protocol !== "https:") throw new AppError(403, "errors.runners.semaphore_without_tls");
}

/**
 * Returns the runner of Semaphore that calls. Throws 401 without a token and 404 for an unknown
 * one, as Semaphore does.
 */
export async function authenticateVisitor(
  deps: PublicDeps,
  caller: Caller,
): Promise<RunnerRow> {
  requireSemaphoreAccess(deps, caller);
  const token = caller.headers.get("x-runner-token");
  if (!token) throw unknownRunner();
  const runner = await runnerOfToken(deps, token).catch((error) => {
    throw isUnknown(error) ? notKnown() : error;
  });
  if (runner.wire !== "semaphore") throw notKnown();
  return runner;
}

const isUnknown = (error: unknown): boolean => error instanceof AppError && error.status === 401;
const notKnown = () => new AppError(404, "errors.runners.unknown");

/**
 * Records that a runner was seen, and ends the tasks of its earlier processes. Versions before 2.19
 * do not send when they started, so all of their processes count as one. Throws 409 if a newer
 * process has called.
 */
export async function noteCall(
  deps: RunnerDeps,
  runner: RunnerRow,
  { headers }: Caller,
): Promise<Visitor> {
  const startedAt = headers.get("x-runner-started-at")?.slice(0, 50) ?? "";
  const session = `semaphore ${runner.id} ${startedAt}`.trim();
  const isCurrent = await touchRunner(deps, runner, session, runner.facts!) === "current";
  if (!isCurrent) throw replacedRunner();
  const open = await readOpenTasks(deps.kv);
  await endTasksOfEarlierProcesses(deps, open, runner.id, session);
  return { runner, session, own: ownTasks(open, runner, session) };
}

/** Returns the tasks that a process of a runner has claimed. */
export function ownTasks(open: OpenTask[], { id }: RunnerRow, session: string): OpenTask[] {
  const owner = ownerName({ runnerId: id, session });
  return open.filter(({ lease }) => lease?.owner === owner);
}
