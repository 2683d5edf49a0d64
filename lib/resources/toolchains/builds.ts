import type { Deps } from "../../access/deps.ts";
import { END, follow } from "../../access/follow.ts";
import type { AdminScope, ProjectScope } from "../../access/scope.ts";
import { stillAdmin, stillMaySee } from "../../access/still_may_see.ts";
import { AppError, conflict, type Sentence, sentenceOf } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { secretsIn } from "../../base/secret.ts";
import { withToolchain } from "../../execution/ansible/toolchains/toolchain.ts";
import { runLog } from "../../execution/log/run_log.ts";
import { withContext } from "../../execution/run/context.ts";
import { withSecrets } from "../../execution/sources/resolve.ts";
import type { ToolchainPlan } from "../../execution/ansible/plan.ts";
import { rowKeys } from "../../store/keys.ts";
import { startLoop } from "../../store/loop.ts";
import { memoryPart } from "../../store/memory.ts";
import { inTurn, transact } from "../../store/transact.ts";
import { toolchainWithToken } from "./plan.ts";
import { toolchainRows } from "./repository.ts";
import { type BuildRow, SERVER, type ToolchainRow, type ToolchainView } from "./schema.ts";
import { toolchainView, withState } from "./service.ts";

/** The last build of a toolchain, with its state on this server. */
export interface Build extends Pick<BuildRow, "reason" | "log"> {
  state: ToolchainView["state"];
}

const EVERY_MS = 500;
const LOG_MAX = 16_000;
const STOPPED: Sentence = { key: "errors.toolchains.build_stopped" };

/** Builds of this server by the ids of their toolchains, those that wait included. */
const builds = memoryPart("builds of toolchains", () => ({
  closing: new AbortController(),
  all: new Map<number, Promise<void>>(),
}));

/** Ends the builds of this server, and starts no more. Called before the store is closed. */
export async function endBuilds({ kv }: Pick<Deps, "kv">): Promise<void> {
  const { closing, all } = builds.of(kv);
  closing.abort();
  await Promise.all(all.values());
}

const keyOf = ({ project_id, id }: ToolchainRow) => rowKeys.toolchainBuild(project_id, id);

/** Scope of people who see the builds of a project's toolchains, or of the server's. */
export type BuildsScope = ProjectScope | AdminScope;

const findRow = (scope: BuildsScope, id: number) =>
  toolchainRows.get(scope.deps.kv, "projectId" in scope ? scope.projectId : SERVER, id);

/** The last build of a toolchain, and its state on this server. */
export async function getBuild(scope: BuildsScope, id: number): Promise<Build> {
  const { deps } = scope;
  const row = await findRow(scope, id);
  const { state } = await withState(deps, toolchainView(row));
  const { value } = await deps.kv.get<BuildRow>(keyOf(row));
  // Its server was killed.
  const isCut = state === "failed" && value?.state === "building";
  return { state, reason: isCut ? STOPPED : value?.reason ?? null, log: value?.log ?? "" };
}

/** Yields the last build, and its progress until it has ended. */
export function followBuild(
  scope: BuildsScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<Build> {
  let before = "";
  return follow({
    changes: looks(signal),
    maySee: () => "projectId" in scope ? stillMaySee(scope) : stillAdmin(scope),
    pauseMs: EVERY_MS,
    async *read() {
      const build = await getBuild(scope, id);
      const now = JSON.stringify(build);
      if (now !== before) yield build;
      before = now;
      if (build.state !== "building") yield END;
    },
  }, signal);
}

/** Asks again and again, because no row changes when a server is killed. */
async function* looks(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) yield;
}

/**
 * Begins to build a toolchain on this server, one after the other. Does nothing while it is being
 * built. Throws 409 for one that is not built.
 */
export async function startBuild(
  scope: ProjectScope<"manage_resources"> | AdminScope,
  id: number,
): Promise<void> {
  const { deps } = scope;
  const row = await findRow(scope, id);
  if (row.kind !== "built") throw conflict("errors.toolchains.not_built");
  const isBuilding = (await getBuild(scope, id)).state === "building";
  const { closing, all } = builds.of(deps.kv);
  if (isBuilding || all.has(id)) return;
  const note = noteOf(deps, row);
  const begun = note({ state: "building", reason: null, log: "" });
  const work = begun.then(() => build(deps, row, closing.signal, note), () => {});
  all.set(id, work.finally(() => all.delete(id)));
  await begun;
}

/** Returns a function that stores the state of a build, unless the toolchain was deleted. */
function noteOf({ kv, clock }: Deps, row: ToolchainRow) {
  const key = rowKeys.resource("toolchains", row.project_id, row.id);
  return (build: Omit<BuildRow, "at">) =>
    transact(kv, async (op) => {
      const entry = await kv.get(key);
      if (entry.versionstamp === null) return;
      op.check(entry).set(keyOf(row), { ...build, at: clock.now().getTime() });
    });
}

/** Never throws: the row has the reason of a failure. */
async function build(
  deps: Deps,
  row: ToolchainRow,
  stop: AbortSignal,
  note: (build: Omit<BuildRow, "at">) => Promise<void>,
): Promise<void> {
  const { kv, environment, log } = deps;
  const failed = (error: unknown) =>
    log("warn", "toolchain_failed", { id: row.id, ...describeError(error) });
  let text = "";
  const line = (line: string) => void (text = `${text}${line}\n`.slice(-LOG_MAX));
  const living = startLoop(deps, {
    name: "toolchain_build",
    async step() {
      await note({ state: "building", reason: null, log: text });
      return EVERY_MS;
    },
  });
  const { project_id: projectId } = row;
  const provide = (plan: ToolchainPlan) => {
    const log = runLog(secretsIn(plan), line);
    const stage = { projectId, name: `toolchain-of-${row.id}`, log, stop };
    return withContext(environment, stage, (it) => withToolchain(it, plan));
  };
  let reason: Sentence | null = null;
  try {
    await inTurn(kv, "toolchain build", async () => {
      stop.throwIfAborted();
      const plan = await toolchainWithToken(deps, row);
      await withSecrets(environment, plan, { projectId, stop }, provide);
    });
  } catch (error) {
    if (!stop.aborted) failed(error);
    reason = stop.aborted
      ? STOPPED
      : error instanceof AppError
      ? sentenceOf(error)
      : { key: "errors.run.internal" };
  }
  await living.stop();
  await note({ state: reason ? "failed" : "ready", reason, log: text }).catch(failed);
}
