import type { ProjectScope } from "../access/scope.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { chosenValue, type TriggerTarget } from "./trigger_target.ts";

/**
 * Returns a function that names what each of these triggers of the project starts; empty once that
 * is deleted.
 */
export async function targetNames(
  kv: Store,
  projectId: number,
  triggers: readonly TriggerTarget[],
): Promise<(target: TriggerTarget) => string> {
  const targets = [...new Map(triggers.map((trigger) => [chosenValue(trigger), trigger])).values()];
  const rows = await getAll<{ name: string }>(
    kv,
    targets.map(({ template_id, workflow_id }) =>
      workflow_id
        ? rowKeys.resource("workflows", projectId, workflow_id)
        : rowKeys.resource("templates", projectId, template_id ?? 0)
    ),
  );
  const names = new Map(targets.map((target, n) => [chosenValue(target), rows[n].value?.name]));
  return (target) => names.get(chosenValue(target)) ?? "";
}

/** Returns the same function for triggers that the caller can see. */
export const nameTargets = (
  { deps: { kv }, projectId }: ProjectScope,
  triggers: readonly TriggerTarget[],
): Promise<(target: TriggerTarget) => string> => targetNames(kv, projectId, triggers);
