import type { Sight } from "../../access/sight.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { TaskFilter } from "./filter.ts";

/**
 * Returns a filter that asks for nothing but what someone may see: without the right to see tasks
 * of others, for their own. Returns null if it asks for nothing that they see.
 */
export function filterSeen(filter: TaskFilter, sight: Sight | null): TaskFilter | null {
  const { templateId, workflowId, userId } = filter;
  if (!sight || sight.seesAll) return filter;
  if (templateId !== undefined && !sight.maySee("templates", templateId)) return null;
  if (workflowId !== undefined && !sight.maySee("workflows", workflowId)) return null;
  if (sight.seesAllTasks) return filter;
  const isOwn = sight.userId !== null && (userId === undefined || userId === sight.userId);
  return isOwn ? { ...filter, userId: sight.userId! } : null;
}

/** Number of hidden templates whose tasks are skipped while a list is read. */
const SKIPPED_MAX = 20;
/** Number of templates whose tasks are merged to a list. */
const MERGED_MAX = 100;

/** Returns the templates that someone sees if they are few and many others are hidden, or null. */
export async function fewTemplates(
  kv: Store,
  projectId: number,
  sight: Sight,
): Promise<number[] | null> {
  if (sight.hidden("templates").size <= SKIPPED_MAX) return null;
  const seen = await seenTemplateIds(kv, projectId, sight);
  return seen.length <= MERGED_MAX ? seen : null;
}

/** Returns the ids of the templates that someone sees. */
export async function seenTemplateIds(
  kv: Store,
  projectId: number,
  sight: Sight,
): Promise<number[]> {
  const stamp = rowKeys.resourcesStamp("templates");
  const all = await cachedWhile(kv, [stamp], `ids of templates of ${projectId}`, async () => {
    const rows = kv.list({ prefix: rowKeys.resources("templates", projectId) }, { batchSize: 500 });
    return await Array.fromAsync(rows, ({ key }) => key.at(-1) as number);
  });
  const hidden = sight.hidden("templates");
  return all.filter((id) => !hidden.has(id));
}
