import type { ProjectScope } from "../../access/scope.ts";
import { inventoryRows } from "../../parts/inventories/repository.ts";
import type { LogHead } from "../../output/store.ts";
import { getTaskRow } from "../../tasks/repository.ts";
import type { TaskView } from "../../tasks/schema.ts";
import { type Initiator, initiatorsOf } from "../../tasks/initiators.ts";
import { taskView } from "../../tasks/view.ts";

/** A task with the data that its page shows. */
export interface TaskAbout {
  task: TaskView;
  initiator: Initiator;
  /** Name of its inventory; empty if it was deleted. */
  inventory: string;
  /** Path of the page that shows it, without sub-path. */
  here: string;
}

/** Loads a task with the data that its page shows. Throws 404 for tasks of other projects. */
export async function aboutTask(scope: ProjectScope, id: number, url: URL): Promise<TaskAbout> {
  const { deps: { kv, config: { basePath } }, projectId } = scope;
  const row = await getTaskRow(kv, projectId, id);
  const [task, [initiator], inventory] = await Promise.all([
    taskView(kv, row),
    initiatorsOf(kv, [row]),
    inventoryRows.find(kv, projectId, row.inventory_id),
  ]);
  return {
    task,
    initiator,
    inventory: inventory?.row.name ?? "",
    here: url.pathname.slice(basePath.length) + url.search,
  };
}

/** Returns the line that a URL names in `line`; null if there is no such line. */
export function namedLine({ searchParams }: URL, { lines }: Pick<LogHead, "lines">): number | null {
  const line = numberOf(searchParams.get("line"));
  return line !== null && line >= 1 && line <= lines ? line : null;
}

/** Parses a whole number from a URL; null for anything else. */
export const numberOf = (text: string | null): number | null =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : null;
