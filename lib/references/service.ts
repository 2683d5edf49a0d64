import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { AppError, notFound, type Sentence } from "../base/errors.ts";
import { isRuledKind } from "../model/access_rule.ts";
import { seenReferences } from "./seen.ts";
import { requireRow } from "../store/rows/row_reader.ts";
import { type Ref, rowKeys } from "../store/keys.ts";
import { findTarget, guardTargets, listReferences, nameReferences } from "../store/references.ts";
import type { References } from "../store/references.ts";
import type { Atomic, Store } from "../store/store.ts";

/** The objects that use `to` and that the actor sees, by name. They prevent its deletion. */
export async function referencesTo(scope: ProjectScope, to: Ref): Promise<References> {
  const { deps: { kv }, projectId } = scope;
  await requireRow(kv, to[0], projectId, to[1]);
  const [kind, id] = to;
  if (isRuledKind(kind) && !(await sightOf(scope)).maySee(kind, id)) throw notFound();
  const all = await nameReferences(kv, projectId, await listReferences(kv, projectId, to));
  return (await seenReferences(scope, all)).seen;
}

/** References of a form by field; null for an empty field. */
export type WantedReferences = Record<string, Ref | null>;

/** 404 for a field whose object is not in the project, or is one that the actor does not see. */
export const notInProject = (
  field: string,
  fields: Record<string, Sentence> = { [field]: { key: "errors.not_in_project" } },
) => new AppError(404, "errors.field_not_in_project", { field }, { fields });

/** Maximum number of rows that KV reads by key in one call. */
const GET_MANY_MAX = 10;

/**
 * Reads the rows that a form refers to, by field. The commit of `op` fails if one of them changes.
 * Throws 404, naming each field whose id is not in this project.
 */
export async function readTargets(
  kv: Store,
  op: Atomic,
  projectId: number,
  wanted: WantedReferences,
): Promise<Map<string, unknown>> {
  const asked = Object.entries(wanted).filter((entry): entry is [string, Ref] => entry[1] !== null);
  const rows = new Map<string, unknown>();
  const missing: Record<string, Sentence> = {};
  await guardTargets(kv, op, projectId);
  for (let i = 0; i < asked.length; i += GET_MANY_MAX) {
    const batch = asked.slice(i, i + GET_MANY_MAX);
    const entries = await kv.getMany<unknown[]>(
      batch.map(([, [kind, id]]) => rowKeys.resource(kind, projectId, id)),
    );
    for (const [n, [, to]] of batch.entries()) {
      if (to[0] === "toolchains") entries[n] = await findTarget(kv, projectId, to);
    }
    for (const [n, [field]] of batch.entries()) {
      if (entries[n].versionstamp === null) missing[field] = { key: "errors.not_in_project" };
      rows.set(field, entries[n].value);
    }
  }
  const [field] = Object.keys(missing);
  if (field) throw notInProject(field, missing);
  return rows;
}
