import * as z from "zod";
import type { Client } from "../../access/actor.ts";
import { inGroups } from "../../base/groups.ts";
import { jobKind } from "../../jobs/kind.ts";
import { deleteApproved } from "../../tasks/approved_inputs.ts";
import { deleteSecretAnswers } from "../../tasks/answer_store.ts";
import { deleteFound, deletePrefix } from "../../store/delete_prefix.ts";
import { RESOURCE_KINDS, rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import { removeRunnersOf } from "../../runners/repository.ts";
import { deleteRecords } from "../../output/store.ts";

/** A project that is marked as being deleted. Its rows are to be removed. */
export interface ProjectDeletion {
  project_id: number;
  /** The person who has deleted it. Missing for a project that was never shown. */
  by?: { person: { id: number | null; username: string | null }; client?: Client };
}

const clientSchema = z.object({ address: z.string(), user_agent: z.string() });
const personSchema = z.object({ id: z.int().nullable(), username: z.string().nullable() });

export const projectDeletions = jobKind<ProjectDeletion>({
  name: "project_deletion",
  schema: z.object({
    project_id: z.int(),
    by: z.object({ person: personSchema, client: clientSchema.optional() }).optional(),
  }),
  uniqueBy: ({ project_id }) => project_id,
});

/**
 * Deletes a project's row after all other rows of the project. `also` adds to the last commit. New
 * rows check the project's row, which is marked or deleted, and a change of a row checks that row.
 * So rows that are written together with another row are swept after it. After a crash, the rows
 * that lead to others still exist.
 */
export async function removeProject(
  kv: Store,
  id: number,
  also: (op: Atomic) => void | Promise<void> = () => {},
): Promise<void> {
  await sweepTasks(kv, id);
  await sweepMembers(kv, id);
  await removeRunnersOf(kv, id);
  for (const kind of RESOURCE_KINDS) await deletePrefix(kv, rowKeys.resources(kind, id));
  for (const list of rowKeys.listsOfAll()) await sweepOwn(kv, list, id);
  const prefixes = rowKeys.ofProject(id);
  await deleteFound(kv, prefixes.map((prefix) => ({ prefix })), prefixes);
  await transact(kv, async (op) => {
    op.delete(rowKeys.ownersGuard(id)).delete(rowKeys.targetsGuard(id))
      .delete(rowKeys.hostsGuard(id)).delete(rowKeys.projectAliases(id))
      .delete(rowKeys.project(id));
    await also(op);
  });
}

/** Tasks per commit, which takes a few changes for each. */
const TASKS_PER_COMMIT = 25;

async function sweepTasks(kv: Store, projectId: number) {
  const rows = kv.list({ prefix: rowKeys.tasks(projectId) }, { batchSize: 500 });
  for await (const group of inGroups(rows, TASKS_PER_COMMIT)) {
    const ids = group.map(({ key }) => key[2] as number);
    await deleteRecords(kv, ...ids);
    const op = kv.atomic().set(rowKeys.tasksWake(), ids[0]);
    for (const id of ids) {
      op.delete(rowKeys.openTask(id)).delete(rowKeys.task(projectId, id));
      deleteSecretAnswers(op, id);
      deleteApproved(op, id);
    }
    await op.commit();
  }
  for await (const { key } of kv.list({ prefix: rowKeys.taskImports(projectId) })) {
    await deleteRecords(kv, key[2] as number);
  }
}

/**
 * Deletes a project's rows from a list that all projects share. The job that deletes the project
 * ends with the last commit.
 */
async function sweepOwn(kv: Store, prefix: Deno.KvKey, projectId: number) {
  for await (
    const { key, value } of kv.list<{ project_id: number }>({ prefix }, { batchSize: 500 })
  ) {
    if (value.project_id === projectId && key[1] !== projectDeletions.name) await kv.delete(key);
  }
}

async function sweepMembers(kv: Store, projectId: number) {
  for await (const { key } of kv.list({ prefix: rowKeys.members(projectId) })) {
    await kv.atomic().delete(rowKeys.memberByUser(key[2] as number, projectId)).delete(key)
      .commit();
  }
}
