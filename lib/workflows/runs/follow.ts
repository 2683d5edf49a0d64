import { follow, liveChanges, type LiveNews } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { digest } from "../../base/version.ts";
import type { WholeRunView } from "../run_schema.ts";
import { getRun } from "./view.ts";

/** Pause between two updates, because steps may start in quick succession. */
const PAUSE_MS = 500;

/** Reads a run with its version, for `followRun`. */
export async function getShownRun(scope: ProjectScope, workflowId: number, runId: number) {
  const run = await getRun(scope, workflowId, runId);
  return { run, version: versionOf(run) };
}

const versionOf = (run: WholeRunView): string =>
  digest(JSON.stringify(run), 16).replaceAll("-", "_");

/**
 * Yields the version of a run whenever it is not `version` any more, while the caller may see the
 * project.
 */
export function followRun(
  scope: ProjectScope,
  { workflowId, runId, version }: { workflowId: number; runId: number; version: string },
  signal: AbortSignal,
): AsyncGenerator<string> {
  let sent = version;
  const isNews = ({ type, project_id, ...news }: LiveNews): boolean => {
    if ((project_id ?? scope.projectId) !== scope.projectId) return false;
    if (type === "workflow") {
      return project_id === null || "run_id" in news && news.run_id === runId;
    }
    return type === "update";
  };
  return follow({
    ...liveChanges(scope, isNews, signal),
    async *read() {
      const { version: now } = await getShownRun(scope, workflowId, runId);
      if (now !== sent) yield (sent = now);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
