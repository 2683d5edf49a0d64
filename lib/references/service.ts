import type { ProjectScope } from "../access/scope.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { requireRow } from "../kv/row_reader.ts";
import { type Ref, rowKeys } from "../kv/keys.ts";
import { holdTargets, listReferences, nameReferences } from "../kv/references.ts";
import type { References } from "../kv/references.ts";

/** What uses `to`, by name: what would keep it from being deleted. */
export async function referencesTo(
  { deps, projectId }: ProjectScope,
  to: Ref,
): Promise<References> {
  await requireRow(deps.kv, to[0], projectId, to[1]);
  return await nameReferences(deps.kv, projectId, await listReferences(deps.kv, projectId, to));
}

/** Which field of a form refers to what; null where it refers to nothing. */
export type Wanted = Record<string, Ref | null>;

/** KV reads at most this many rows by key at once. */
const GET_MANY_MAX = 10;

/**
 * The rows that a form refers to, by field. The commit of `op` fails if one of them changes.
 * Throws 404, naming each field whose id is not of this project.
 */
export async function readTargets(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  wanted: Wanted,
): Promise<Map<string, unknown>> {
  const asked = Object.entries(wanted).filter((entry): entry is [string, Ref] => entry[1] !== null);
  const rows = new Map<string, unknown>();
  const missing: Record<string, Sentence> = {};
  await holdTargets(kv, op, projectId);
  for (let i = 0; i < asked.length; i += GET_MANY_MAX) {
    const batch = asked.slice(i, i + GET_MANY_MAX);
    const entries = await kv.getMany<unknown[]>(
      batch.map(([, [kind, id]]) => rowKeys.resource(kind, projectId, id)),
    );
    for (const [n, [field]] of batch.entries()) {
      if (entries[n].versionstamp === null) missing[field] = { key: "errors.not_in_project" };
      rows.set(field, entries[n].value);
    }
  }
  const [field] = Object.keys(missing);
  if (field) throw new AppError(404, "errors.field_not_in_project", { field }, { fields: missing });
  return rows;
}
