import type { ProjectScope } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { AppError } from "../base/errors.ts";
import { isRuledKind } from "../model/access_rule.ts";
import { type ResourceKind, rowKeys } from "../store/keys.ts";
import { inUse, noReferences, type References } from "../store/references.ts";
import { getAll } from "../store/rows/get_all.ts";

/** Kinds of objects that start others, and are hidden with them. */
const TRIGGERS: readonly string[] = ["schedules", "integrations"];

type Trigger = Parameters<Sight["maySeeTarget"]>[0];

/** Returns the references to objects that the actor sees, and the number of the others. */
export async function seenReferences(
  scope: ProjectScope,
  references: References,
): Promise<{ seen: References; hidden: number }> {
  const sight = await sightOf(scope);
  if (!sight.isNarrowed) return { seen: references, hidden: 0 };
  const { deps: { kv }, projectId } = scope;
  const seen = noReferences();
  let hidden = 0;
  for (const [kind, items] of Object.entries(references)) {
    const triggers = TRIGGERS.includes(kind)
      ? await getAll<Trigger>(
        kv,
        items.map(({ id }) => rowKeys.resource(kind as ResourceKind, projectId, id)),
      )
      : [];
    const isSeen = (id: number, n: number) =>
      isRuledKind(kind) ? sight.maySee(kind, id) : sight.maySeeTarget(triggers[n]?.value ?? {});
    const its = items.filter(({ id }, n) => isSeen(id, n));
    seen[kind as keyof References] = its;
    hidden += items.length - its.length;
  }
  return { seen, hidden };
}

/**
 * Returns the result of a change. If the users of an object prevent it, the error names those that
 * the actor sees, and counts the others.
 */
export async function namingSeen<T>(scope: ProjectScope, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.body?.inUse) throw error;
    const { inUse: _, ...usedBy } = error.details.body;
    const { seen, hidden } = await seenReferences(scope, usedBy as unknown as References);
    throw hidden === 0 ? error : inUse(error.key, seen, hidden);
  }
}
