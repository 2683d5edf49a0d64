import { AppError, notFound, type Sentence } from "../base/errors.ts";
import { type Ref, type ResourceKind, rowKeys } from "./keys.ts";
import type { Atomic, Store } from "./store.ts";

/** Objects that use something, by kind. All lists are always present. */
export type References = Record<
  | "templates"
  | "inventories"
  | "repositories"
  | "schedules"
  | "integrations"
  | "workflows"
  | "keys"
  | "environments"
  | "toolchains"
  | "git_credentials",
  { id: number; name: string }[]
>;

interface Reference {
  projectId: number;
  from: Ref;
  to: Ref;
}

/**
 * Checks in `op` that no possible target of a reference in the project changes until the commit. A
 * commit can have few checks, so one row stands for all of them. Call this before reading the
 * targets.
 */
export async function guardTargets(
  kv: Store,
  op: Atomic,
  projectId: number,
): Promise<void> {
  op.check(await kv.get(rowKeys.targetsGuard(projectId)));
}

/**
 * Moves the guard of the targets in `op`, so that concurrent commits that hold the targets fail.
 * Called when `target` changes or is deleted.
 */
export function moveTargets(op: Atomic, projectId: number, target: Ref): void {
  op.set(rowKeys.targetsGuard(projectId), target);
}

/** Project of rows that belong to the server, and that every project can use. */
const SERVER = 0;

/** Returns the row that a reference leads to. A toolchain may be the server's. */
export async function findTarget(
  kv: Store,
  projectId: number,
  [kind, id]: Ref,
): Promise<Deno.KvEntryMaybe<unknown>> {
  const own = await kv.get(rowKeys.resource(kind, projectId, id));
  if (own.versionstamp !== null || kind !== "toolchains") return own;
  return await kv.get(rowKeys.resource(kind, SERVER, id));
}

/**
 * Adds to `op` that something uses `target`, so that it is not deleted meanwhile. The targets of a
 * project are held already.
 */
export function holdTarget(op: Atomic, target: Deno.KvEntryMaybe<unknown>, to: Ref) {
  if (target.key[1] !== SERVER) return;
  op.check(target).set(rowKeys.referenceGuard(SERVER, to), true);
}

/**
 * Adds "from uses to" to `op`, which holds the targets. Throws not found if `to` does not exist.
 */
export async function addReference(
  kv: Store,
  op: Atomic,
  { projectId, from, to }: Reference,
): Promise<void> {
  const target = await findTarget(kv, projectId, to);
  if (target.versionstamp === null) throw notFound();
  holdTarget(op, target, to);
  op.set(rowKeys.reference(projectId, to, from), true)
    // An index row cannot be checked before it exists. So each new reference also changes this
    // guard, which a concurrent delete has read and checks.
    .set(rowKeys.referenceGuard(projectId, to), from[1]);
}

/** Removes "from uses to" in `op`. */
export function removeReference(
  op: Atomic,
  { projectId, from, to }: Reference,
): void {
  op.delete(rowKeys.reference(projectId, to, from));
}

/** Returns the objects that use `to`, at most 1,000. */
export async function listReferences(kv: Store, projectId: number, to: Ref): Promise<Ref[]> {
  const usedBy: Ref[] = [];
  for await (
    const { key } of kv.list({ prefix: rowKeys.references(projectId, to) }, { limit: 1000 })
  ) {
    usedBy.push([key[4] as ResourceKind, key[5] as number]);
  }
  return usedBy;
}

/** Returns the ids of all objects of a kind that use `to`, ascending. */
export async function listUsing(
  kv: Store,
  projectId: number,
  to: Ref,
  kind: ResourceKind,
): Promise<number[]> {
  const prefix = [...rowKeys.references(projectId, to), kind];
  const entries = kv.list({ prefix }, { limit: ALL_REFERENCES_MAX, batchSize: 500 });
  return await Array.fromAsync(entries, ({ key }) => key[5] as number);
}

/** Limit for the references to all objects of a kind, higher than in any project. */
const ALL_REFERENCES_MAX = 100_000;

/** Returns the objects that use each object of a kind, by the id of the used one. */
export async function listAllReferences(
  kv: Store,
  projectId: number,
  kind: ResourceKind,
): Promise<Map<number, Ref[]>> {
  const users = new Map<number, Ref[]>();
  const entries = kv.list({ prefix: rowKeys.referencesOfKind(projectId, kind) }, {
    limit: ALL_REFERENCES_MAX,
    batchSize: 500,
  });
  for await (const { key } of entries) {
    const [id, ...from] = key.slice(3) as [number, ResourceKind, number];
    const others = users.get(id);
    if (others) others.push(from);
    else users.set(id, [from]);
  }
  return users;
}

/**
 * Returns the objects that use `to`, at most 1,000. The commit of `op` fails if another object
 * starts to use it meanwhile.
 */
export async function guardReferences(
  kv: Store,
  op: Atomic,
  projectId: number,
  to: Ref,
): Promise<Ref[]> {
  // Must be read before the list.
  const guard = await kv.get(rowKeys.referenceGuard(projectId, to));
  op.check(guard);
  return await listReferences(kv, projectId, to);
}

/**
 * Makes deleting `to` in `op` safe: nothing uses it, and nothing can start to use it until the
 * commit. `release` may remove some uses in the same operation and returns those that remain.
 */
export async function requireUnreferenced(
  kv: Store,
  op: Atomic,
  projectId: number,
  to: Ref,
  release: (usedBy: Ref[]) => Promise<Ref[]> = (usedBy) => Promise.resolve(usedBy),
): Promise<void> {
  const usedBy = await release(await guardReferences(kv, op, projectId, to));
  if (usedBy.length > 0) throw inUse("errors.in_use", await nameReferences(kv, projectId, usedBy));
  op.delete(rowKeys.referenceGuard(projectId, to));
}

/**
 * 409: `usedBy` prevent a deletion, or a change that they could not work with. The sentence of
 * `key` names them as `users`, and counts others that its reader does not see as `hidden`.
 */
export const inUse = (key: string, usedBy: References, hidden = 0) =>
  new AppError(
    409,
    key,
    { users: [...namesOf(usedBy), ...hiddenUsers(hidden)] },
    { body: { inUse: true, ...usedBy } },
  );

const hiddenUsers = (number: number): Sentence[] =>
  number > 0 ? [{ key: "references.user.hidden", params: { number } }] : [];

/** Maximum number of names in a sentence. The response lists all of them separately. */
const NAMES_MAX = 5;

function namesOf(usedBy: References): Sentence[] {
  const users = Object.entries(usedBy).flatMap(([kind, rows]) =>
    rows.map(({ name }) => ({ key: `references.user.${kind}`, params: { name } }))
  );
  if (users.length <= NAMES_MAX) return users;
  const number = users.length - NAMES_MAX;
  return [...users.slice(0, NAMES_MAX), { key: "references.user.more", params: { number } }];
}

export const noReferences = (): References => ({
  templates: [],
  inventories: [],
  repositories: [],
  schedules: [],
  integrations: [],
  workflows: [],
  keys: [],
  environments: [],
  toolchains: [],
  git_credentials: [],
});

/** KV reads at most this many rows by key in one call. */
const GET_MANY_MAX = 10;

interface NamedRow {
  name?: string;
  cron_format?: string;
}

/** Returns the names of `refs` by kind, as API responses contain them. */
export async function nameReferences(
  kv: Store,
  projectId: number,
  refs: Ref[],
): Promise<References> {
  const named = noReferences();
  for (let i = 0; i < refs.length; i += GET_MANY_MAX) {
    const batch = refs.slice(i, i + GET_MANY_MAX);
    const rows = await kv.getMany<NamedRow[]>(
      batch.map(([kind, id]) => rowKeys.resource(kind, projectId, id)),
    );
    for (const [n, [kind, id]] of batch.entries()) {
      const name = rows[n].value?.name || rows[n].value?.cron_format || `#${id}`;
      if (kind in named) named[kind as keyof References].push({ id, name });
    }
  }
  return named;
}
