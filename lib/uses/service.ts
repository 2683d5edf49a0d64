import type { ProjectScope } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { seenOfTasks } from "../hosts/seen.ts";
import { cachedWhile } from "../store/cached.ts";
import { getAll } from "../store/rows/get_all.ts";
import { type Ref, RESOURCE_KINDS, rowKeys } from "../store/keys.ts";
import { listAllReferences, noReferences, type References } from "../store/references.ts";
import type { Store } from "../store/store.ts";
import { readHostCounts } from "../resources/inventories/host_counts.ts";
import { summarizeInventories } from "../resources/inventories/summaries.ts";
import type { ResultHead } from "../results/rows.ts";
import { allNamedThings, namedThings } from "../search/things.ts";
import { branchName, readLastUses, type UsedCommit, useName } from "../tasks/last_uses.ts";
import type { ListedInventory, ResourceUse } from "./schema.ts";

/** Kinds of resources that tasks run with. */
type UsedKind =
  | "secret_storages"
  | "keys"
  | "repositories"
  | "inventories"
  | "environments"
  | "toolchains";

/**
 * Returns what uses each resource of a kind, by its id, without the unused ones. A task that used
 * an inventory, a repository or a toolchain also used what those refer to today.
 */
export async function listUses(
  scope: ProjectScope,
  kind: UsedKind,
): Promise<Map<number, ResourceUse>> {
  const [sight, uses] = await Promise.all([sightOf(scope), listAllUses(scope, kind)]);
  return sight.seesAll ? uses : await seenUses(scope, sight, uses);
}

/** Returns the uses without objects and tasks that the actor does not see. */
async function seenUses(
  scope: ProjectScope,
  sight: Sight,
  uses: Map<number, ResourceUse>,
): Promise<Map<number, ResourceUse>> {
  const { deps: { kv }, projectId } = scope;
  const last = [...uses.values()].flatMap(({ last }) => last?.task_id ?? []);
  const [tasks, things] = await Promise.all([
    seenOfTasks(kv, sight, projectId, last),
    namedThings(scope),
  ]);
  const seen = new Set(things.map(({ kind, id }) => `${kind} ${id}`));
  return new Map([...uses].map(([id, { usedBy, last }]) => [id, {
    usedBy: seenUsers(usedBy, seen),
    last: last && tasks.has(last.task_id) ? last : null,
  }]));
}

/** Kinds of objects that someone may not see. */
const HIDEABLE: readonly string[] = ["templates", "workflows", "schedules", "integrations"];

const seenUsers = (usedBy: References, seen: ReadonlySet<string>): References =>
  Object.fromEntries(
    Object.entries(usedBy).map(([kind, users]) => [
      kind,
      HIDEABLE.includes(kind) ? users.filter(({ id }) => seen.has(`${kind} ${id}`)) : users,
    ]),
  ) as unknown as References;

async function listAllUses(
  scope: ProjectScope,
  kind: UsedKind,
): Promise<Map<number, ResourceUse>> {
  const { deps: { kv }, projectId } = scope;
  const [{ uses }, users, repositoryUsers] = await Promise.all([
    readLastUses(kv, projectId),
    usersOf(scope, kind),
    usersOf(scope, "repositories"),
  ]);
  const repositoryUse = (id: number) =>
    latest([
      uses.get(useName(["repositories", id])),
      ...(repositoryUsers.get(id)?.inventories ?? []).map(({ id }) =>
        uses.get(useName(["inventories", id]))
      ),
    ]);
  const ids = [...users.keys(), ...[...uses.keys()].flatMap((name) => idIn(name, kind))];
  return new Map(ids.map((id) => {
    const usedBy = users.get(id) ?? NO_USERS;
    const last = latest([
      uses.get(useName([kind, id])),
      ...usedBy.inventories.map(({ id }) => uses.get(useName(["inventories", id]))),
      ...usedBy.repositories.map(({ id }) => repositoryUse(id)),
      ...usedBy.toolchains.map(({ id }) => uses.get(useName(["toolchains", id]))),
    ]);
    return [id, { usedBy, last }];
  }));
}

function idIn(name: string, wanted: UsedKind): number[] {
  const [kind, id] = name.split(" ");
  return kind === wanted ? [Number(id)] : [];
}

const latest = <Use extends { task_id: number }>(uses: (Use | null | undefined)[]): Use | null =>
  uses.reduce<Use | null>(
    (last, use) => use && use.task_id > (last?.task_id ?? 0) ? use : last,
    null,
  );

const NO_USERS = noReferences();

/** The objects that refer to each resource of a kind, with their names. */
function usersOf(scope: ProjectScope, kind: UsedKind): Promise<Map<number, References>> {
  const { deps: { kv }, projectId } = scope;
  const stamps = RESOURCE_KINDS.map((kind) => rowKeys.resourcesStamp(kind));
  return cachedWhile(kv, stamps, `users of ${kind} of ${projectId}`, async () => {
    const [references, things] = await Promise.all([
      listAllReferences(kv, projectId, kind),
      allNamedThings(scope),
    ]);
    const names = new Map(things.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
    return new Map([...references].map(([id, users]) => [id, named(users, names)]));
  });
}

function named(users: Ref[], names: ReadonlyMap<string, string>): References {
  const lists = noReferences();
  for (const ref of users) {
    const [kind, id] = ref;
    if (kind in lists) {
      lists[kind as keyof References].push({ id, name: names.get(useName(ref)) ?? `#${id}` });
    }
  }
  return lists;
}

/** Returns the latest known commit of each repository's own branch, by the repository's id. */
export async function listUsedCommits(
  { deps, projectId }: ProjectScope,
  repositories: readonly { id: number; git_branch: string }[],
): Promise<Map<number, UsedCommit>> {
  const { commits } = await readLastUses(deps.kv, projectId);
  return new Map(repositories.flatMap(({ id, git_branch }) => {
    const ways = [null, git_branch].map((branch) => commits.get(branchName(id, branch)));
    const last = latest(ways);
    return last ? [[id, last]] : [];
  }));
}

/** Returns the project's inventories with their numbers of hosts. */
export async function listInventories(scope: ProjectScope): Promise<ListedInventory[]> {
  const { deps: { kv }, projectId } = scope;
  const [inventories, { unlimited }] = await Promise.all([
    summarizeInventories(scope),
    readLastUses(kv, projectId),
  ]);
  const tested = await readHostCounts(kv, projectId, inventories);
  const reached = await hostsReached(
    kv,
    inventories.flatMap(({ id, hosts }) =>
      hosts === null && !tested.has(id) ? unlimited.get(id) ?? [] : []
    ),
  );
  return inventories.map((inventory) => {
    const { id, hosts } = inventory;
    if (hosts !== null) return { ...inventory, counted_by: null };
    if (tested.has(id)) return { ...inventory, hosts: tested.get(id)!, counted_by: "test" };
    const task = unlimited.get(id) ?? 0;
    const inTask = reached.get(task) ?? null;
    return { ...inventory, hosts: inTask, counted_by: inTask === null ? null : task };
  });
}

/** Returns the numbers of hosts that tasks have reached, without tasks that have no results. */
async function hostsReached(kv: Store, taskIds: number[]): Promise<Map<number, number>> {
  const heads = await getAll<ResultHead>(kv, taskIds.map((id) => rowKeys.taskResultHead(id)));
  return new Map(heads.flatMap(({ value }, n) => value ? [[taskIds[n], value.hosts]] : []));
}
