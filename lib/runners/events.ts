import type { RunnerRow } from "./rows.ts";

/** Returns the event for a runner; `action` is the last part of the locale key. */
export const runnerEvent = (
  { id, name, project_id }: Pick<RunnerRow, "id" | "name" | "project_id">,
  action: string,
) => ({ projectId: project_id ?? 0, object: "runner", id, name, action }) as const;
