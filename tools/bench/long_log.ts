import { join } from "node:path";
import { createHub } from "../../lib/base/hub.ts";
import { deleteRecords } from "../../lib/output/store.ts";
import { createLogWriter } from "../../lib/output/writer.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

const HOSTS = 500;
/** The text of the line that a search finds last. */
export const RARE = "needle";

/** Replaces the output of a task by `lines` lines, as Ansible prints them for 500 hosts. */
export async function writeLongLog(
  dataDir: string,
  projectId: number,
  taskId: number,
  lines: number,
): Promise<void> {
  using kv = await openStore(join(dataDir, "callboard.kv"));
  await deleteRecords(kv, taskId);
  const clock = { now: () => new Date() };
  const log = createLogWriter({ kv, hub: createHub(), clock, projectId, taskId });
  for (let n = 1; n <= lines; n++) await log.write(lineAt(n, lines));
  await log.flush();
  const op = kv.atomic();
  log.close(op);
  await op.commit();
}

function lineAt(n: number, lines: number): string {
  const host = `web${n % HOSTS}.example.org`;
  if (n === 1) return `PLAY [all] ${"*".repeat(60)}`;
  if (n === lines - 1_000) return `\x1b[0;31mfatal: [${host}]: FAILED! => ${RARE}\x1b[0m`;
  if (n % (HOSTS + 1) === 2) return `TASK [nginx : Install package ${n}] ${"*".repeat(40)}`;
  return n % 7 === 0
    ? `\x1b[0;33mchanged: [${host}] => (item=package-${n})\x1b[0m`
    : `\x1b[0;32mok: [${host}]\x1b[0m`;
}
