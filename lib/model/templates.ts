import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TemplateHead } from "./template_row.ts";

/** Returns the template without its long texts, with its versionstamp. */
export const findTemplateEntry = (
  kv: Store,
  projectId: number,
  id: number,
): Promise<Deno.KvEntryMaybe<TemplateHead>> =>
  kv.get<TemplateHead>(rowKeys.resource("templates", projectId, id));

/** Returns the template without its long texts; null if there is none. */
export const findTemplateHead = async (
  kv: Store,
  projectId: number,
  id: number,
): Promise<TemplateHead | null> => (await findTemplateEntry(kv, projectId, id)).value;

/** Returns the existing templates of these projects and ids, in the requested order. */
export async function findTemplateHeads(
  kv: Store,
  ids: [project: number, id: number][],
): Promise<TemplateHead[]> {
  const keys = ids.map(([project, id]) => rowKeys.resource("templates", project, id));
  return (await getAll<TemplateHead>(kv, keys)).flatMap(({ value }) => value ?? []);
}
