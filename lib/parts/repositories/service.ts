import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { readTargets } from "../../references/service.ts";
import { sortByReferred, type SortParams } from "../../references/sort.ts";
import { repositoryRows } from "./repository.ts";
import type { RepositoryForm, RepositoryRow, RepositoryView } from "./schema.ts";
import { sealUrl } from "./sealed_url.ts";
import { forgetWorkingCopies } from "./working_copies.ts";

/** The project's repositories. */
export async function listRepositories(
  { deps, projectId }: ProjectScope,
  sort?: SortParams,
): Promise<RepositoryView[]> {
  const rows = await repositoryRows.list(deps.kv, projectId);
  return await sortByReferred(deps.kv, projectId, rows.map(repositoryView), sort, {
    ssh_key: ["ssh_key_id", "keys"],
  });
}

/** One repository. */
export async function getRepository(
  { deps, projectId }: ProjectScope,
  id: number,
): Promise<RepositoryView> {
  return repositoryView(await repositoryRows.get(deps.kv, projectId, id));
}

/** Adds a repository. Its key must be of the same project. */
export async function createRepository(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: RepositoryForm,
): Promise<RepositoryView> {
  const id = await nextId(deps.kv, "repositories");
  const url = await sealUrl(deps.secrets, form.git_url);
  const row: RepositoryRow = { id, project_id: projectId, ...form, ...url };
  await transact(deps.kv, async (op) => {
    await requireTargets(deps.kv, op, row);
    await repositoryRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return repositoryView(row);
}

/** Changes a repository. With another URL the next run fetches anew; runs under way are left alone. */
export async function updateRepository(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: RepositoryForm,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const stored = await repositoryRows.get(deps.kv, projectId, id);
    const url = await sealUrl(deps.secrets, form.git_url, stored);
    const row: RepositoryRow = { id, project_id: projectId, ...form, ...url };
    await requireTargets(deps.kv, op, row);
    await repositoryRows.update(deps.kv, op, projectId, id, () => row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
}

/** Deletes a repository that nothing uses, and its working copies. */
export async function deleteRepository(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await repositoryRows.remove(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "deleted" });
  });
  await forgetWorkingCopies(deps, projectId, id);
}

const requireTargets = (kv: Deno.Kv, op: Deno.AtomicOperation, row: RepositoryRow) =>
  readTargets(kv, op, row.project_id, { ssh_key_id: ["keys", row.ssh_key_id] });

const repositoryView = ({ url_secret: _, ...view }: RepositoryRow): RepositoryView => view;

const eventOf = (row: RepositoryRow) =>
  ({ projectId: row.project_id, object: "repository", id: row.id, name: row.name }) as const;
