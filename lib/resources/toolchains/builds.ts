import type { Deps } from "../../access/deps.ts";
import { END, follow, rowChanges } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { AppError, conflict, type Sentence, sentenceOf } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { withToolchain } from "../../execution/ansible/toolchain.ts";
import { runLog } from "../../execution/log/run_log.ts";
import { withContext } from "../../execution/run/context.ts";
import { rowKeys } from "../../kv/keys.ts";
import { inTurn } from "../../kv/transact.ts";
import { toolchainPlan } from "./plan.ts";
import { toolchainRows } from "./repository.ts";
import type { BuildRow, ToolchainRow, ToolchainView } from "./schema.ts";
import { toolchainView, withState } from "./service.ts";

/** The last build of a toolchain, with its state on this server. */
export interface Build extends Pick<BuildRow, "reason" | "log"> {
  state: ToolchainView["state"];
}

const EVERY_MS = 500;
const LOG_MAX = 16_000;

const keyOf = ({ project_id, id }: ToolchainRow) => rowKeys.toolchainBuild(project_id, id);

/** The last build of a toolchain, and its state on this server. */
export async function getBuild(scope: ProjectScope, id: number): Promise<Build> {
  const { deps, projectId } = scope;
  const row = await toolchainRows.get(deps.kv, projectId, id);
  const { state } = await withState(deps, toolchainView(row));
  const { value } = await deps.kv.get<BuildRow>(keyOf(row));
  return { state, reason: value?.reason ?? null, log: value?.log ?? "" };
}

/** Yields the last build, and again as it goes on, until it has ended. */
export function followBuild(
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<Build> {
  const rows = [rowKeys.toolchainBuild(scope.projectId, id)];
  const { changes, maySee } = rowChanges(scope, rows, signal);
  return follow({
    changes,
    maySee,
    pauseMs: EVERY_MS,
    async *read() {
      const build = await getBuild(scope, id);
      yield build;
      if (build.state !== "building") yield END;
    },
  }, signal);
}

/**
 * Begins to build a toolchain on this server, one after the other. Does nothing while it is being
 * built. Throws 409 for one that is not built.
 */
export async function startBuild(
  scope: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  const { deps, projectId } = scope;
  const { kv, log } = deps;
  const row = await toolchainRows.get(kv, projectId, id);
  if (row.kind !== "built") throw conflict("errors.toolchains.not_built");
  if ((await getBuild(scope, id)).state === "building") return;
  const note = noteOf(deps, row);
  await note({ state: "building", reason: null, log: "" });
  inTurn(kv, "toolchain build", () => build(deps, row, note))
    .catch((error) => log("error", "toolchain_build", { id, ...describeError(error) }));
}

/** Returns a function that stores the state of a build, unless the toolchain was deleted. */
function noteOf({ kv, clock }: Deps, row: ToolchainRow) {
  const key = rowKeys.resource("toolchains", row.project_id, row.id);
  return async (build: Omit<BuildRow, "at">) => {
    const entry = await kv.get(key);
    if (entry.versionstamp === null) return;
    await kv.atomic().check(entry).set(keyOf(row), { ...build, at: clock.now().getTime() })
      .commit();
  };
}

async function build(
  { environment, log }: Deps,
  row: ToolchainRow,
  note: (build: Omit<BuildRow, "at">) => Promise<void>,
): Promise<void> {
  let text = "";
  const stored = () => note({ state: "building", reason: null, log: text });
  const timer = setInterval(() => void stored().catch(() => {}), EVERY_MS);
  const stage = {
    projectId: row.project_id,
    name: `toolchain-of-${row.id}`,
    log: runLog([], (line) => void (text = `${text}${line}\n`.slice(-LOG_MAX))),
    stop: new AbortController().signal,
  };
  let reason: Sentence | null = null;
  try {
    await withContext(environment, stage, (context) => withToolchain(context, toolchainPlan(row)));
  } catch (error) {
    log("warn", "toolchain_failed", { id: row.id, ...describeError(error) });
    reason = error instanceof AppError ? sentenceOf(error) : { key: "errors.run.internal" };
  } finally {
    clearInterval(timer);
  }
  await note({ state: reason ? "failed" : "ready", reason, log: text });
}
