import { notFound } from "../base/errors.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { ProjectRow } from "./rows.ts";

/** More projects than an installation has. The limit bounds every list. */
const LIST_MAX = 10_000;

/**
 * Returns the project's row with its versionstamp. Throws not found, also if it is being deleted.
 */
export async function getProjectEntry(
  kv: Store,
  id: number,
): Promise<Deno.KvEntry<ProjectRow>> {
  const entry = await kv.get<ProjectRow>(rowKeys.project(id));
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
  const rows: ProjectRow[] = [];
  for (let start = 0; start < ids.length; start += 10) {
    const some = ids.slice(start, start + 10).map((id) => rowKeys.project(id));
    for (const { value } of await kv.getMany<ProjectRow[]>(some)) if (value) rows.push(value);
  }
  return rows;
}

/** Adds a new project to `op`. */
export function insertProject(op: Atomic, row: ProjectRow): void {
  const key = rowKeys.project(row.id);
  op.check({ key, versionstamp: null }).set(key, row);
}
