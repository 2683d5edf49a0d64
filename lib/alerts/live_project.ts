import type { ProjectRow } from "../model/project_row.ts";
import { findProjectEntry } from "../model/projects.ts";
import type { Atomic, Store } from "../store/store.ts";

/**
 * Returns the project that an alert is about, and null for an alert about the server. Undefined
 * means that it is gone. `op` then fails if it is deleted meanwhile.
 */
export async function liveProject(
  kv: Store,
  op: Atomic,
  id: number | null,
): Promise<ProjectRow | null | undefined> {
  if (id === null) return null;
  const entry = await findProjectEntry(kv, id);
  op.check(entry);
  return entry.value?.deleting ? undefined : entry.value ?? undefined;
}
