import { END, follow, liveChanges, type LiveNews, rowChanges } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { onceFor } from "../../base/once_for.ts";
import { digest } from "../../base/version.ts";
import { rowKeys } from "../../store/keys.ts";
import type { RunRow, WholeRunView } from "../run_schema.ts";
import { listProjectRuns, type RunFilter } from "./history.ts";
import { getRun } from "./view.ts";

/** Pause between two updates, because steps may start in quick succession. */
const PAUSE_MS = 500;

/** Reads a run with its version, for `followRun`. */
export async function getShownRun(scope: ProjectScope, workflowId: number, runId: number) {
  const run = await getRun(scope, workflowId, runId);
  return { run, version: versionOf(run) };
}

/** Leaves out the rights of the reader, so that a version is the same for all readers. */
function versionOf(run: WholeRunView): string {
  const steps = run.steps.map(({ approval, ...step }) => ({
    ...step,
    approval: approval && { ...approval, may_vote: false, refusal: "" },
  }));
  return versionText({ ...run, steps });
}

const versionText = (shown: unknown): string =>
  digest(JSON.stringify(shown), 16).replaceAll("-", "_");

/** Yields a run once it is as wanted. */
const runOnce = (isWanted: (run: RunRow) => boolean) =>
(
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<RunRow> =>
  follow({
    ...rowChanges<[RunRow]>(scope, [rowKeys.workflowRun(scope.projectId, id)], signal),
    async *read([{ value }]) {
      if (value && !isWanted(value)) return;
      if (value) yield value;
      yield END;
    },
  }, signal);

/** Yields a run once it has ended. */
export const runEnd = runOnce(({ end }) => end !== null);

/** Yields a run once it has a task, or none will follow soon because it waits or has ended. */
export const runWithTask = runOnce(({ end, steps }) =>
  end !== null ||
  Object.values(steps).some(({ task_id, state }) => task_id !== undefined || state === "waiting")
);

/** Reads a page of runs with its version, for `followRuns`. */
export async function getShownRuns(scope: ProjectScope, filter: RunFilter) {
  const list = await listProjectRuns(scope, filter);
  return { ...list, version: versionText(list) };
}

/**
 * Yields the version of a run whenever it is not `version` any more, while the caller may see the
 * project.
 */
export const followRun = (
  scope: ProjectScope,
  { workflowId, runId, version }: { workflowId: number; runId: number; version: string },
  signal: AbortSignal,
): AsyncGenerator<string> =>
  followVersion(scope, {
    name: `${workflowId}/${runId}`,
    version,
    isNews: (message) => message.project_id === null || message.run_id === runId,
    read: async () => (await getShownRun(scope, workflowId, runId)).version,
  }, signal);

/** Yields the version of a page of runs in the same way. */
export const followRuns = (
  scope: ProjectScope,
  filter: RunFilter,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> =>
  followVersion(scope, {
    name: JSON.stringify(filter),
    version,
    isNews: () => true,
    read: async () => (await getShownRuns(scope, filter)).version,
  }, signal);

/** Yields the latest message whenever a run of the project has changed. */
export async function* followRunChanges(
  scope: ProjectScope,
  signal: AbortSignal,
): AsyncGenerator<LiveNews> {
  for await (const news of followNews(scope, ({ type }) => type === "workflow", signal)) {
    if (news) yield news;
  }
}

/** A message that a run of a workflow has changed. */
type RunNews = LiveNews & { type: "workflow" };

/** A part of a page with a version that is the same for all readers. */
interface Versioned {
  /** Distinguishes the parts of a project. */
  name: string;
  /** The version that is known. */
  version: string;
  /** Whether the change of a run of the project may have changed it. */
  isNews(message: RunNews): boolean;
  read(): Promise<string>;
}

/** Versions of parts after a change by their names, each read once for all readers. */
const versionsAfter = onceFor((_change: LiveNews) => new Map<string, Promise<string>>());

async function* followVersion(
  scope: ProjectScope,
  { name, version, isNews, read }: Versioned,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { readers: seen } = await sightOf(scope);
  const part = `${scope.projectId} ${name} ${seen}`;
  const readAfter = (change: LiveNews): Promise<string> => {
    const versions = versionsAfter(change);
    const current = versions.get(part) ?? read();
    versions.set(part, current);
    return current;
  };
  let sent = version;
  const isOwn = (message: LiveNews) =>
    message.type === "update" || message.type === "workflow" && isNews(message);
  for await (const change of followNews(scope, isOwn, signal)) {
    const now = await (change ? readAfter(change) : read());
    if (now !== sent) yield (sent = now);
  }
}

/** Yields the latest message about the project for which `isNews` is true, and null at first. */
function followNews(
  scope: ProjectScope,
  isNews: (message: LiveNews) => boolean,
  signal: AbortSignal,
): AsyncGenerator<LiveNews | null> {
  let latest: LiveNews | null = null;
  const isOwn = (message: LiveNews): boolean => {
    const isNew = (message.project_id ?? scope.projectId) === scope.projectId && isNews(message);
    if (isNew) latest = message;
    return isNew;
  };
  return follow({
    ...liveChanges(scope, isOwn, signal),
    async *read() {
      yield latest;
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
