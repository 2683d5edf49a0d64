import { deleteSecretAnswers } from "../tasks/repository.ts";
import { keys, RESOURCE_KINDS } from "../kv/keys.ts";
import { deleteLog } from "../tasks/log_store.ts";

/** Mutations a commit, well below the limit: so that other commits get their turn. */
const COMMIT_ROWS_MAX = 500;

/**
 * Deletes all rows of a project but its own. What is not found by the project goes first, so that
 * after a crash the rows that lead to it are still there.
 */
export async function sweepProject(kv: Deno.Kv, projectId: number): Promise<void> {
  await sweepTasks(kv, projectId);
  await sweepAliases(kv, projectId);
  await sweepDueTimes(kv, projectId);
  await sweepMembers(kv, projectId);
  for (const prefix of prefixesOf(projectId)) await sweepPrefix(kv, prefix);
}

/** Each prefix that holds only rows of the project. */
function prefixesOf(projectId: number): Deno.KvKey[] {
  return [
    ...RESOURCE_KINDS.map((kind) => keys.resources(kind, projectId)),
    ...keys.ofProject(projectId),
  ];
}

async function sweepTasks(kv: Deno.Kv, projectId: number) {
  for await (const { key } of kv.list({ prefix: keys.tasks(projectId) }, { batchSize: 500 })) {
    const id = key[2] as number;
    await deleteLog(kv, id);
    const op = kv.atomic().delete(keys.openTask(id)).delete(key);
    deleteSecretAnswers(op, id);
    await op.commit();
  }
}

async function sweepAliases(kv: Deno.Kv, projectId: number) {
  for await (const { key, value } of kv.list<{ project_id: number }>({ prefix: keys.aliases() })) {
    if (value.project_id === projectId) await kv.delete(key);
  }
}

async function sweepDueTimes(kv: Deno.Kv, projectId: number) {
  for await (
    const { key, value } of kv.list<{ project_id: number }>({ prefix: keys.schedulesDue() })
  ) {
    if (value.project_id === projectId) await kv.delete(key);
  }
}

async function sweepMembers(kv: Deno.Kv, projectId: number) {
  for await (const { key } of kv.list({ prefix: keys.members(projectId) })) {
    await kv.atomic().delete(keys.memberByUser(key[2] as number, projectId)).delete(key).commit();
  }
}

async function sweepPrefix(kv: Deno.Kv, prefix: Deno.KvKey) {
  let op = kv.atomic();
  let rows = 0;
  for await (const { key } of kv.list({ prefix }, { batchSize: COMMIT_ROWS_MAX })) {
    op.delete(key);
    if (++rows % COMMIT_ROWS_MAX > 0) continue;
    await op.commit();
    op = kv.atomic();
  }
  await op.commit();
}
