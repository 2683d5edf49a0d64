import type { PublicDeps } from "../../access/deps.ts";
import { phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { AppError } from "../../base/errors.ts";
import { inTime } from "../../base/time/in_time.ts";
import { describeError } from "../../base/log.ts";
import { findJobTrouble } from "../../jobs/overview.ts";
import { readAuditLags } from "../../events/cursors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive, isQueued } from "../../model/status.ts";
import type { WorkDeps } from "../jobs/service.ts";
import { firstAlert, firstTime, secondsSince } from "../metrics/measure.ts";
import type { Machine, MachineState } from "./machine.ts";

/** State of a running server, as it sees itself within milliseconds. */
export interface Glance {
  at: Date;
  machine: MachineState;
  hasAnsible: boolean;
  hasAutomaticBackups: boolean;
  /** Null while the store does not respond. */
  stored: StoredState | null;
}

/** How long work has been late, in seconds; 0 if none is. */
interface StoredState {
  maintenance: ReturnType<typeof phaseOf>;
  queueSeconds: number;
  scheduleSeconds: number;
  alertSeconds: number;
  /** The receiver of the audit log that is the furthest behind; null without receivers. */
  audit: { receiver: string; seconds: number } | null;
  /** Kinds of background work that is late or was set aside. */
  jobs: Awaited<ReturnType<typeof findJobTrouble>>;
}

/** Looks at this server now. */
export async function lookAtServer(
  deps: PublicDeps & WorkDeps & { machine: Machine },
): Promise<Glance> {
  const [machine, stored] = await Promise.all([deps.machine(), readStored(deps)]);
  return {
    at: deps.clock.now(),
    machine,
    hasAnsible: deps.ansibleVersion !== null,
    hasAutomaticBackups: deps.config.backupFolder !== null,
    stored,
  };
}

async function readStored(deps: WorkDeps): Promise<StoredState | null> {
  try {
    return await inTime(measureStored(deps));
  } catch (error) {
    if (!(error instanceof AppError)) deps.log("error", "health_failed", describeError(error));
    return null;
  }
}

async function measureStored(deps: WorkDeps): Promise<StoredState> {
  const { kv, clock } = deps;
  const now = clock.now().getTime();
  const maintenance = phaseOf(await readMaintenance(kv), clock.now());
  // Tasks and schedules wait for its end.
  const isHeld = maintenance === "on";
  return {
    maintenance,
    queueSeconds: isHeld ? 0 : await queueSeconds(kv, now),
    scheduleSeconds: isHeld ? 0 : secondsSince(now, await firstTime(kv, rowKeys.schedulesDue())),
    alertSeconds: secondsSince(now, await firstAlert(kv)),
    audit: await lastReceiver(kv, now),
    jobs: await findJobTrouble(deps, deps.workers),
  };
}

async function lastReceiver(kv: Store, now: number): Promise<StoredState["audit"]> {
  const [last] = (await readAuditLags(kv))
    .map(({ sink, oldest }) => ({
      receiver: sink,
      seconds: secondsSince(now, oldest ?? undefined),
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  return last ?? null;
}

/** Tasks may wait for each other, but the first one must not wait while none runs. */
async function queueSeconds(kv: Store, now: number): Promise<number> {
  const open = await listOpenTasks(kv);
  if (open.some(({ status }) => isActive(status))) return 0;
  return secondsSince(now, open.find(({ status }) => isQueued(status))?.created);
}
