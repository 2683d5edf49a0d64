import { notFound } from "../base/errors.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { ProjectRow } from "./project_row.ts";

/** More projects than an installation has. The limit bounds every list. */
const LIST_MAX = 10_000;

/** Returns the project with its versionstamp, even while it is being deleted. */
export const findProjectEntry = (
  kv: Store,
  id: number,
): Promise<Deno.KvEntryMaybe<ProjectRow>> => kv.get<ProjectRow>(rowKeys.project(id));

/** Returns the project, even while it is being deleted; null if there is none. */
export const findProject = async (kv: Store, id: number): Promise<ProjectRow | null> =>
  (await findProjectEntry(kv, id)).value;

/**
 * Returns the project's row with its versionstamp. Throws not found, also if it is being deleted.
 */
export async function getProjectEntry(
  kv: Store,
  id: number,
): Promise<Deno.KvEntry<ProjectRow>> {
  const entry = await findProjectEntry(kv, id);
  if (entry.versionstamp === null || entry.value.deleting) throw notFound();
  return entry;
}

/** Returns all projects by id, including those that are being deleted. */
export async function listProjectRows(kv: Store): Promise<ProjectRow[]> {
  const rows: ProjectRow[] = [];
  const entries = kv.list<ProjectRow>({ prefix: rowKeys.projects() }, {
    limit: LIST_MAX,
    batchSize: 500,
  });
  for await (const { value } of entries) rows.push(value);
  return rows;
}

/** Returns the projects with these ids. Missing ones are left out. */
export async function getProjectRows(kv: Store, ids: number[]): Promise<ProjectRow[]> {
  const rows = await getAll<ProjectRow>(kv, ids.map((id) => rowKeys.project(id)));
  return rows.flatMap(({ value }) => value ?? []);
}

/** Adds a new project to `op`. */
export function insertProject(op: Atomic, row: ProjectRow): void {
  const key = rowKeys.project(row.id);
  op.check({ key, versionstamp: null }).set(key, row);
}
