import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";

/** An execution of a task on a runner, from its claim to its end. */
export interface RemoteRunRow {
  /** Id of the execution. A preview and the run after it have different ones. */
  run: string;
  runner_id: number;
  /** The process of the runner that has claimed it. */
  session: string;
  /** The server that takes its reports; null until it was offered to the runner. */
  server: string | null;
  /** Number of lines in the task's log before those of this execution; null until then, too. */
  lines_before: number | null;
  /** Time when it was first offered, in milliseconds; null until then, too. */
  begun: number | null;
}

export const findRemoteRun = async (
  kv: Store,
  taskId: number,
): Promise<Deno.KvEntry<RemoteRunRow> | null> => {
  const entry = await kv.get<RemoteRunRow>(rowKeys.remoteRun(taskId));
  return entry.versionstamp === null ? null : entry;
};
