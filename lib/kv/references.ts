import { AppError, notFound, type Sentence } from "../base/errors.ts";
import { type Ref, type ResourceKind, rowKeys } from "./keys.ts";

/** Who uses something, by kind. All five lists are always there. */
export type References = Record<
  "templates" | "inventories" | "repositories" | "schedules" | "integrations",
  { id: number; name: string }[]
>;

interface Reference {
  projectId: number;
  from: Ref;
  to: Ref;
}

/**
 * Adds to `op` that all that can be referred to in the project stays as it is until the commit.
 * A commit takes few checks, so one row stands for them all. Before they are read, never after.
 */
export async function holdTargets(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
): Promise<void> {
  op.check(await kv.get(rowKeys.targetsGuard(projectId)));
}

/** Adds to `op` what fails commits that hold the project's targets: `target` changes, or goes. */
export function moveTargets(op: Deno.AtomicOperation, projectId: number, target: Ref): void {
  op.set(rowKeys.targetsGuard(projectId), target);
}

/** Adds "from uses to" to `op`, which holds the targets. Throws not found when `to` is not there. */
export async function addReference(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  { projectId, from, to }: Reference,
): Promise<void> {
  const target = await kv.get(rowKeys.resource(to[0], projectId, to[1]));
  if (target.versionstamp === null) throw notFound();
  op.set(rowKeys.reference(projectId, to, from), true)
    // An index row cannot be checked before it exists, so each new reference
    // also moves this guard, which a concurrent delete has read and checks.
    .set(rowKeys.referenceGuard(projectId, to), from[1]);
}

/** Adds to `op` that "from" no longer uses "to". */
export function removeReference(
  op: Deno.AtomicOperation,
  { projectId, from, to }: Reference,
): void {
  op.delete(rowKeys.reference(projectId, to, from));
}

/** Who uses `to`, at most 1,000. */
export async function listReferences(kv: Deno.Kv, projectId: number, to: Ref): Promise<Ref[]> {
  const usedBy: Ref[] = [];
  for await (
    const { key } of kv.list({ prefix: rowKeys.references(projectId, to) }, { limit: 1000 })
  ) {
    usedBy.push([key[4] as ResourceKind, key[5] as number]);
  }
  return usedBy;
}

/**
 * Who uses `to`, at most 1,000. The commit of `op` fails if something begins to use it meanwhile.
 */
export async function holdReferences(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  to: Ref,
): Promise<Ref[]> {
  const guard = await kv.get(rowKeys.referenceGuard(projectId, to)); // before the list, never after
  op.check(guard);
  return await listReferences(kv, projectId, to);
}

/**
 * Adds to `op` what makes deleting `to` safe: nothing uses it, nor will by commit.
 * `release` may end the use by some in the same operation; it answers those that remain.
 */
export async function requireUnreferenced(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  to: Ref,
  release: (usedBy: Ref[]) => Promise<Ref[]> = (usedBy) => Promise.resolve(usedBy),
): Promise<void> {
  const usedBy = await release(await holdReferences(kv, op, projectId, to));
  if (usedBy.length > 0) throw inUse("errors.in_use", await nameReferences(kv, projectId, usedBy));
  op.delete(rowKeys.referenceGuard(projectId, to));
}

/**
 * 409: `usedBy` keep something from being deleted, or from becoming what they cannot use. The
 * sentence of `key` names them as `users`.
 */
export const inUse = (key: string, usedBy: References) =>
  new AppError(409, key, { users: namesOf(usedBy) }, { body: { inUse: true, ...usedBy } });

/** A sentence names so many; the answer beside it lists all. */
const NAMES_MAX = 5;

function namesOf(usedBy: References): Sentence[] {
  const users = Object.entries(usedBy).flatMap(([kind, rows]) =>
    rows.map(({ name }) => ({ key: `references.user.${kind}`, params: { name } }))
  );
  if (users.length <= NAMES_MAX) return users;
  const number = users.length - NAMES_MAX;
  return [...users.slice(0, NAMES_MAX), { key: "references.user.more", params: { number } }];
}

/** KV reads at most this many rows by key at once. */
const GET_MANY_MAX = 10;

interface NamedRow {
  name?: string;
  cron_format?: string;
}

/** The names of `refs`, by kind: what the API answers of references. */
export async function nameReferences(
  kv: Deno.Kv,
  projectId: number,
  refs: Ref[],
): Promise<References> {
  const named: References = {
    templates: [],
    inventories: [],
    repositories: [],
    schedules: [],
    integrations: [],
  };
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
