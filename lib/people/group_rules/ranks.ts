import { readMask } from "../../access/roles.ts";
import type { Store } from "../../store/store.ts";
import { type GroupRule, isRole } from "./schema.ts";

/** Returns a function with the masks of the roles that rules give in projects. */
export async function readGivenMasks(
  kv: Store,
  rules: readonly GroupRule[],
): Promise<(projectId: number, slug: string) => number> {
  const masks = new Map<string, number>();
  for (const { gives, project_id } of rules) {
    const name = `${project_id} ${gives}`;
    if (!isRole(gives) || project_id === null || masks.has(name)) continue;
    masks.set(name, await readMask(kv, project_id, gives));
  }
  return (projectId, slug) => masks.get(`${projectId} ${slug}`) ?? 0;
}
