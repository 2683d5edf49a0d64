import type { AdminScope } from "../../access/scope.ts";
import { isShared } from "../../base/settings/config.ts";
import { inTime } from "../../base/time/in_time.ts";
import { withoutCredentials } from "../../base/settings/known_settings.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive, isQueued } from "../../model/status.ts";
import { diskSpace } from "../../base/machine/disk_space.ts";
import { onDisk, storeSize } from "../checks/disk.ts";
import { type LastBackup, readLastBackup } from "../../maintenance/server_backup/last_backup.ts";
import { type CheckList, listChecks } from "../checks/checks.ts";
import { lookAtServer } from "../checks/glance.ts";
import type { Health } from "./schema.ts";
import { type ChecksDeps, healthOf } from "./service.ts";
import type { Store } from "../../store/store.ts";

/** The state of this server, for its administrators. Null stands for what cannot be measured. */
export interface ServerState {
  status: Health["status"];
  checks: CheckList;
  /** Start of this process, in ISO 8601. */
  started: string;
  memoryBytes: number;
  /** The store's file with its log. A shared store is a service, which measures itself. */
  store: { place: string; bytes: number | null; isShared: boolean };
  data: { place: string; freeBytes: number | null };
  /** `servers` are those that run tasks at the moment. */
  tasks: { running: number; waiting: number; unconfirmed: number; servers: number } | null;
  backup: LastBackup | null;
  /** Whether automatic backups are configured. Otherwise their check says nothing. */
  hasAutomaticBackups: boolean;
}

/** Measures this server now. */
export async function readServerState(
  { deps }: AdminScope<ChecksDeps>,
): Promise<ServerState> {
  const { kv, clock, config: { dataDir, kv: store, backupFolder } } = deps;
  const shared = isShared({ kv: store });
  const [glance, tasks, bytes, space, backup] = await Promise.all([
    lookAtServer(deps),
    inTime(countTasks(kv)).catch(() => null),
    shared ? null : onDisk(storeSize(store)),
    onDisk(diskSpace(dataDir)),
    onDisk(readLastBackup(dataDir)),
  ]);
  return {
    status: healthOf(glance).status,
    checks: listChecks(glance, deps.doctor.latest),
    started: new Date(clock.now().getTime() - performance.now()).toISOString(),
    memoryBytes: Deno.memoryUsage().rss,
    store: { place: withoutCredentials(store), bytes, isShared: shared },
    data: { place: dataDir, freeBytes: space?.free ?? null },
    tasks,
    backup,
    hasAutomaticBackups: backupFolder !== null,
  };
}

async function countTasks(kv: Store): Promise<ServerState["tasks"]> {
  const open = await listOpenTasks(kv);
  const statuses = open.map(({ status }) => status);
  return {
    running: statuses.filter(isActive).length,
    waiting: statuses.filter(isQueued).length,
    unconfirmed: statuses.filter((status) => status === "waiting_confirmation").length,
    servers: new Set(open.flatMap(({ lease }) => lease?.owner ?? [])).size,
  };
}
