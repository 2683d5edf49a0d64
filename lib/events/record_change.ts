import type { Actor } from "../access/actor.ts";
import { getAll } from "../store/rows/get_all.ts";
import { type ResourceKind, rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { type Changes, differencesOf, lastPart, type Value } from "./differences.ts";
import { type NewEvent, recordEvent } from "./record.ts";

/** Kinds of the objects that fields refer to by id. */
const KINDS: Record<string, ResourceKind | "projects" | "users"> = {
  inventory_id: "inventories",
  repository_id: "repositories",
  environment_id: "environments",
  environment_ids: "environments",
  ssh_key_id: "keys",
  ssh_key_ids: "keys",
  key_id: "keys",
  become_key_id: "keys",
  vault_key_id: "keys",
  auth_secret_id: "keys",
  galaxy_key_id: "keys",
  storage_id: "secret_storages",
  template_id: "templates",
  build_template_id: "templates",
  view_id: "views",
  template_ids: "templates",
  view_ids: "views",
  workflow_ids: "workflows",
  workflow_id: "workflows",
  toolchain_id: "toolchains",
  project_id: "projects",
  project_ids: "projects",
  user_ids: "users",
  visible_to: "users",
  run_by: "users",
  edit_by: "users",
};

interface NamedRow {
  name?: string;
  title?: string;
  username?: string;
}

/** Two states of an object: null before its creation and after its deletion. */
interface States {
  before: object | null;
  after: object | null;
}

/** Adds an event to `op` with the fields that differ between two states of its object. */
export async function recordChange(
  op: Atomic,
  deps: { kv: Store; clock: { now(): Date } },
  actor: Actor,
  event: NewEvent,
  { before, after }: States,
): Promise<void> {
  const { changes, left } = differencesOf(before, after);
  await nameTargets(deps.kv, event.projectId, changes);
  recordEvent(op, deps, actor, { ...event, changes, left });
}

/**
 * Adds to ids the names that their objects have now. An object that is gone keeps only its id, and
 * so does one that readers of the project could not see: anyone may write any id.
 */
async function nameTargets(kv: Store, projectId: number, changes: Changes): Promise<void> {
  const asked = Object.entries(changes).flatMap(([field, change]) => {
    const name = lastPart(field);
    if (!Object.hasOwn(KINDS, name) || change === "changed") return [];
    const kind = KINDS[name];
    if (kind === "projects" && projectId !== 0) return [];
    const ids = new Set(change.flat().filter((id) => typeof id === "number"));
    return [{ field, change, ids: [...ids], keyOf: (id: number) => keyOf(kind, projectId, id) }];
  });
  if (asked.length === 0) return;
  const keys = asked.flatMap(({ ids, keyOf }) => ids.map(keyOf));
  const rows = await getAll<NamedRow>(kv, await visibleOf(kv, projectId, keys));
  const names = new Map(rows.map(({ key, value }) => [String(key), value]));
  for (const { field, change, keyOf } of asked) {
    const named = (id: unknown): Value => {
      if (typeof id !== "number") return id as Value;
      const row = names.get(String(keyOf(id)));
      return { id, name: row?.name ?? row?.title ?? row?.username ?? "" };
    };
    const both = change.map((value) => Array.isArray(value) ? value.map(named) : named(value));
    changes[field] = both as [Value, Value];
  }
}

/** Returns the keys without those of accounts that are not members of the project. */
async function visibleOf(
  kv: Store,
  projectId: number,
  keys: Deno.KvKey[],
): Promise<Deno.KvKey[]> {
  if (projectId === 0) return keys;
  const [users] = rowKeys.user(0);
  const accounts = keys.filter(([kind]) => kind === users);
  const members = await getAll(kv, accounts.map(([, id]) => rowKeys.member(projectId, Number(id))));
  const others = new Set(accounts.filter((_, n) => members[n].value === null));
  return keys.filter((key) => !others.has(key));
}

function keyOf(kind: ResourceKind | "projects" | "users", projectId: number, id: number) {
  if (kind === "projects") return rowKeys.project(id);
  return kind === "users" ? rowKeys.user(id) : rowKeys.resource(kind, projectId, id);
}
