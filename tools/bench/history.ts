import { join } from "node:path";
import { rowKeys } from "../../lib/store/keys.ts";
import { openStore } from "../../lib/store/file/open_store.ts";
import type { TaskRow } from "../../lib/model/task_row.ts";
import { writeHistory as write } from "../../tests/support/world/history.ts";

/** One in this many tasks was started by another person, and one failed. */
const RARE = 1_000;

/** Stores `count` finished tasks of a project as copies of `model`. Most of them succeeded. */
export async function writeHistory(dataDir: string, model: TaskRow, count: number): Promise<void> {
  using kv = await openLab(dataDir);
  const changes = Array.from({ length: count }, (_, n): Partial<TaskRow> => ({
    user_id: n % RARE === 0 ? model.user_id : null,
    status: n % RARE === 1 ? "error" : "success",
  }));
  await write(kv, model, changes);
}

/** Reads a finished task as it is stored. */
export async function readTask(dataDir: string, projectId: number, id: number): Promise<TaskRow> {
  using kv = await openLab(dataDir);
  const { value } = await kv.get<TaskRow>(rowKeys.task(projectId, id));
  return value!;
}

const openLab = (dataDir: string) => openStore(join(dataDir, "callboard.kv"));
