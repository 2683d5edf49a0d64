import type { SentenceParams } from "../../base/errors.ts";
import { kindNames } from "../../jobs/overview.ts";
import { type Finding, fine, healthProblem } from "./finding.ts";
import type { Glance } from "./glance.ts";

/** A task that may run starts within milliseconds. After this time, no server starts tasks. */
const QUEUE_SECONDS_MAX = 60;
const SCHEDULE_SECONDS_MAX = 60;
const ALERT_SECONDS_MAX = 600;
const AUDIT_SECONDS_MAX = 600;

const OK = [fine("doctor.level.ok")];
const wrong = (key: string, params?: SentenceParams, remedy?: string): Finding[] => [
  healthProblem("failed", key, params, remedy),
];
const unless = (reason: string | null, key: string, remedy?: string): Finding[] =>
  reason === null ? OK : wrong(key, { reason }, remedy);
const atMost = (seconds: number, max: number, key: string): Finding[] =>
  seconds <= max ? OK : wrong(key, { seconds: Math.round(seconds) });

/** Returns a check that is not possible while the store does not respond. */
const ofStored =
  (check: (stored: NonNullable<Glance["stored"]>, glance: Glance) => Finding[]) =>
  (glance: Glance): Finding[] =>
    glance.stored ? check(glance.stored, glance) : wrong("unknown", {}, "admin.remedy.store");

export function quickStore({ stored, machine }: Glance): Finding[] {
  if (!stored) return wrong("store");
  // A full disk can still be read.
  return machine.storeFull ? wrong("store_full", {}, "admin.remedy.store") : OK;
}

export const quickFolder = ({ machine }: Glance) => unless(machine.disk, "disk");

export const quickAnsible = ({ hasAnsible, machine }: Glance) =>
  hasAnsible ? unless(machine.ansible, "ansible_gone", "admin.remedy.ansible") : wrong("ansible");

export const quickIsolation = ({ machine }: Glance) => unless(machine.isolation, "isolation");

export const quickQueue = ofStored(({ queueSeconds }) =>
  atMost(queueSeconds, QUEUE_SECONDS_MAX, "queue")
);

export const quickSchedules = ofStored(({ scheduleSeconds }) =>
  atMost(scheduleSeconds, SCHEDULE_SECONDS_MAX, "schedules")
);

export const quickAlerts = ofStored(({ alertSeconds }) =>
  atMost(alertSeconds, ALERT_SECONDS_MAX, "alerts")
);

/** The reason may have an address that not everyone may know. Only the thorough check has it. */
export const quickAuditLog = ofStored(({ audit }) =>
  audit === null || audit.seconds <= AUDIT_SECONDS_MAX
    ? []
    : wrong("audit", { receiver: audit.receiver, seconds: Math.round(audit.seconds) })
);

/** Checks that automatic backups are written, and that none waits for someone to look at it. */
export function quickBackups({ hasAutomaticBackups, machine }: Glance): Finding[] {
  const { overdue, left, failed } = machine.backups;
  if (overdue) return wrong("backup");
  if (failed) return wrong(`backup_${failed}`, {}, `backups.remedy.${failed}`);
  if (left > 0) return wrong("backups_left", { count: left });
  return hasAutomaticBackups ? OK : [];
}

/**
 * Checks whether this process has a certificate that its files have replaced, has had errors that
 * it did not expect, or a log that loses lines.
 */
export function quickProcess({ machine: { certificate, unexpected, lostLines } }: Glance) {
  if (certificate !== null) return wrong("certificate", { reason: certificate });
  if (unexpected > 0) return wrong("unexpected", { count: unexpected });
  return lostLines > 0 ? wrong("lost_lines", { count: lostLines }) : OK;
}

/** Names the background loops that stand still. Without a store, all of them wait for it. */
export const quickLoops = ofStored((_, { at, machine: { stillLoops } }) => {
  const [longest] = stillLoops;
  if (!longest) return OK;
  const names = new Set(stillLoops.map(({ name }) => name.replace(/^audit_.*/, "audit")));
  return wrong("loops", {
    since: new Date(at.getTime() - longest.ms).toISOString(),
    loops: [...names].map((name) => ({ key: `health.loop.${name}` })),
  });
});

const atNone = (kinds: string[], key: string): Finding[] =>
  kinds.length === 0 ? OK : wrong(key, { kinds: kindNames(kinds) });

export const quickLateJobs = ofStored(({ jobs: { late } }) => atNone(late, "jobs_late"));

export const quickJobsSetAside = ofStored(({ jobs: { set_aside } }) =>
  atNone(set_aside, "jobs_set_aside")
);
