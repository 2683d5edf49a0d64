import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { repositoryRows } from "./repository.ts";

/**
 * Lets tasks that start from now on install the requirements of a repository again. What is
 * installed stays for running tasks. Throws not found.
 */
export async function renewRequirements(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const { name } = await repositoryRows.get(deps.kv, projectId, id);
    addRenewal(op, projectId, id);
    recordEvent(op, deps, actor, {
      projectId,
      object: "repository",
      id,
      name,
      action: "requirements_renewed",
    });
  });
}

/** Adds the same to `op`. */
export const addRenewal = (op: Atomic, projectId: number, id: number) =>
  op.set(rowKeys.requirementGeneration(projectId, id), crypto.randomUUID());

/** Returns a text that changes with each renewal; null before the first one. */
export const requirementGeneration = async (
  kv: Store,
  projectId: number,
  id: number,
): Promise<string | null> =>
  (await kv.get<string>(rowKeys.requirementGeneration(projectId, id))).value;

/** Adds to `op` that nothing is known of the requirements of a deleted repository. */
export const deleteGeneration = (op: Atomic, projectId: number, id: number) =>
  op.delete(rowKeys.requirementGeneration(projectId, id));
