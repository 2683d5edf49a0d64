import type { Deps, PublicDeps } from "../../access/deps.ts";
import { phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { AppError, type SentenceParams } from "../../base/errors.ts";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { inTime } from "../../base/in_time.ts";
import { readAuditLags } from "../../events/cursors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { describeError } from "../../base/log.ts";
import { findJobTrouble, kindNames } from "../../jobs/overview.ts";
import type { WorkDeps } from "../jobs/service.ts";
import { firstTime, secondsSince } from "../metrics/measure.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive, isQueued } from "../../model/status.ts";
import type { BackupState, Machine } from "./machine.ts";
import type { Check, Health } from "./schema.ts";

/** A task that may run starts within milliseconds. After this time, no server starts tasks. */
const QUEUE_SECONDS_MAX = 60;
const SCHEDULE_SECONDS_MAX = 60;
const ALERT_SECONDS_MAX = 600;
const AUDIT_SECONDS_MAX = 600;

const fine: Check = { ok: true, reason: null };
const wrong = (key: string, params?: SentenceParams): Check => ({
  ok: false,
  reason: { key: `health.${key}`, params },
});
const checkOf = (key: string, reason: SentenceOrText | null): Check =>
  reason === null ? fine : wrong(key, { reason });
/** Result of checks that are impossible while the store does not respond. */
const unknown: Check = { ok: false, reason: { key: "health.unknown" } };

/** Checks whether this server can work, with reasons. Nothing in the result is secret. */
export async function checkHealth(
  deps: PublicDeps & WorkDeps & { machine: Machine },
): Promise<Health> {
  const [machine, read] = await Promise.all([deps.machine(), readStore(deps)]);
  const { store, maintenance, ...rest } = read;
  const checks = {
    // A full disk can still be read.
    store: store.ok && machine.storeFull ? wrong("store_full") : store,
    disk: checkOf("disk", machine.disk),
    ansible: deps.ansibleVersion === null
      ? wrong("ansible")
      : checkOf("ansible_gone", machine.ansible),
    isolation: checkOf("isolation", machine.isolation),
    ...rest,
    backup: checkBackups(machine.backups),
    process: checkProcess(machine),
    // Without a store, all of them wait for it.
    loops: store.ok ? checkLoops(deps, machine) : unknown,
  };
  const fails = !checks.store.ok || !checks.disk.ok;
  const well = Object.values(checks).every(({ ok }) => ok);
  return { status: fails ? "failing" : well ? "ok" : "degraded", maintenance, checks };
}

/** Checks that automatic backups are written, and that none waits for someone to look at it. */
function checkBackups({ overdue, left, failed }: BackupState): Check {
  if (overdue) return wrong("backup");
  if (failed) return wrong(`backup_${failed}`);
  return left > 0 ? wrong("backups_left", { count: left }) : fine;
}

/**
 * Checks whether this process has a certificate that its files have replaced, has had errors that
 * it did not expect, or a log that loses lines.
 */
function checkProcess(
  { unexpected, lostLines, certificate }: Awaited<ReturnType<Machine>>,
): Check {
  if (certificate !== null) return wrong("certificate", { reason: certificate });
  if (unexpected > 0) return wrong("unexpected", { count: unexpected });
  return lostLines > 0 ? wrong("lost_lines", { count: lostLines }) : fine;
}

/** Checks whether background loops stand still, and names all that do. */
function checkLoops({ clock }: Deps, { stillLoops }: Awaited<ReturnType<Machine>>): Check {
  const [longest] = stillLoops;
  if (!longest) return fine;
  const names = new Set(stillLoops.map(({ name }) => name.replace(/^audit_.*/, "audit")));
  return wrong("loops", {
    since: new Date(clock.now().getTime() - longest.ms).toISOString(),
    loops: [...names].map((name) => ({ key: `health.loop.${name}` })),
  });
}

/** The checks that need no store. */
type HealthOfMachine = "disk" | "ansible" | "isolation" | "backup" | "process" | "loops";

/** Runs the checks that only need the store. */
async function readStore(
  deps: WorkDeps,
): Promise<Pick<Health, "maintenance"> & Omit<Health["checks"], HealthOfMachine>> {
  try {
    return { store: fine, ...await inTime(checkStore(deps)) };
  } catch (error) {
    if (!(error instanceof AppError)) deps.log("error", "health_failed", describeError(error));
    return {
      store: wrong("store"),
      maintenance: "off",
      queue: unknown,
      schedules: unknown,
      alerts: unknown,
      audit: unknown,
      jobs_late: unknown,
      jobs_set_aside: unknown,
    };
  }
}

async function checkStore(deps: WorkDeps) {
  const { kv, clock } = deps;
  const now = clock.now().getTime();
  const maintenance = phaseOf(await readMaintenance(kv), clock.now());
  // Tasks and schedules wait for its end.
  const isHeld = maintenance === "on";
  const scheduleLag = isHeld ? 0 : secondsSince(now, await firstTime(kv, rowKeys.schedulesDue()));
  const alertLag = secondsSince(now, await firstTime(kv, rowKeys.alertsDue()));
  return {
    maintenance,
    queue: isHeld ? fine : await checkQueue(kv, now),
    schedules: scheduleLag > SCHEDULE_SECONDS_MAX
      ? wrong("schedules", { seconds: Math.round(scheduleLag) })
      : fine,
    alerts: alertLag > ALERT_SECONDS_MAX
      ? wrong("alerts", { seconds: Math.round(alertLag) })
      : fine,
    audit: await checkReceivers(kv, now),
    ...await checkJobs(deps),
  };
}

/** Names the kinds of work that is late or was set aside. */
async function checkJobs(deps: WorkDeps): Promise<Pick<Health["checks"], JobCheck>> {
  const { late, set_aside } = await findJobTrouble(deps, deps.workers);
  const check = (key: JobCheck, kinds: string[]) =>
    kinds.length === 0 ? fine : wrong(key, { kinds: kindNames(kinds) });
  return {
    jobs_late: check("jobs_late", late),
    jobs_set_aside: check("jobs_set_aside", set_aside),
  };
}
type JobCheck = "jobs_late" | "jobs_set_aside";

/** Checks the receiver of the audit log that is the furthest behind. */
async function checkReceivers(kv: Store, now: number): Promise<Check> {
  const lags = (await readAuditLags(kv))
    .map(({ oldest, ...lag }) => ({ ...lag, seconds: secondsSince(now, oldest ?? undefined) }))
    .toSorted((a, b) => b.seconds - a.seconds);
  const [worst] = lags;
  if (!worst || worst.seconds <= AUDIT_SECONDS_MAX) return fine;
  // The reason may have an address that not everyone may know. `doctor` has it.
  return wrong("audit", { receiver: worst.sink, seconds: Math.round(worst.seconds) });
}

/**
 * Checks the queue. Tasks may wait for each other, but the first one must not wait while none runs.
 */
async function checkQueue(kv: Store, now: number): Promise<Check> {
  const open = await listOpenTasks(kv);
  if (open.some(({ status }) => isActive(status))) return fine;
  const first = open.find(({ status }) => isQueued(status));
  const seconds = secondsSince(now, first?.created);
  return seconds > QUEUE_SECONDS_MAX ? wrong("queue", { seconds: Math.round(seconds) }) : fine;
}
