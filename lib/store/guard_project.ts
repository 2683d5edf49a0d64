import { notFound } from "../base/errors.ts";
import { rowKeys } from "./keys.ts";
import type { Atomic, Store } from "./store.ts";

/** The part of a project's row that new rows depend on. */
export interface HeldProject {
  deleting?: boolean;
}

/**
 * Checks in `op` that the project still exists at the commit and is not being deleted. Required for
 * every new row of a project. Throws not found.
 */
export async function guardProject(
  kv: Store,
  op: Atomic,
  projectId: number,
): Promise<void> {
  op.check(requireProject(await kv.get<HeldProject>(rowKeys.project(projectId))));
}

/** Returns the row of a project that exists and is not being deleted. Throws not found. */
export function requireProject(
  project: Deno.KvEntryMaybe<HeldProject>,
): Deno.KvEntry<HeldProject> {
  if (project.value === null || project.value.deleting) throw notFound();
  return project;
}
