import { AppError, notFound } from "../errors.ts";
import { keys, type Ref, type ResourceKind } from "./keys.ts";

export interface Reference {
  projectId: number;
  from: Ref;
  to: Ref;
}

/** The row that is referred to, as it was read; the commit fails if it is edited or deleted first. */
type Target = Deno.KvEntryMaybe<unknown>;

/** Adds "from uses to" to `op`. Throws not found when `target` is not there. */
export function addReference(
  op: Deno.AtomicOperation,
  { projectId, from, to }: Reference,
  target: Target,
): void {
  if (target.versionstamp === null) throw notFound();
  op.check(target)
    .set(keys.reference(projectId, to, from), true)
    // An index row cannot be checked before it exists, so each new reference
    // also moves this guard, which a concurrent delete has read and checks.
    .set(keys.referenceGuard(projectId, to), from[1]);
}

/** Adds to `op` that "from" no longer uses "to". */
export function removeReference(
  op: Deno.AtomicOperation,
  { projectId, from, to }: Reference,
): void {
  op.delete(keys.reference(projectId, to, from));
}

/** Who uses `to`, at most 1,000. */
export async function listReferences(kv: Deno.Kv, projectId: number, to: Ref): Promise<Ref[]> {
  const usedBy: Ref[] = [];
  for await (
    const { key } of kv.list({ prefix: keys.references(projectId, to) }, { limit: 1000 })
  ) {
    usedBy.push([key[4] as ResourceKind, key[5] as number]);
  }
  return usedBy;
}

/** Adds to `op` what makes deleting `to` safe: nothing uses it, nor will by commit. */
export async function requireUnreferenced(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  to: Ref,
): Promise<void> {
  const guard = await kv.get(keys.referenceGuard(projectId, to)); // before the list, never after
  const usedBy = await listReferences(kv, projectId, to);
  if (usedBy.length > 0) throw new AppError(409, "errors.in_use", {}, { body: { inUse: true } });
  op.check(guard).delete(guard.key);
}
