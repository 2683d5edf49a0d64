import { alertJobOf } from "../alerts/former_rows.ts";
import { readMaintenance } from "../access/maintenance.ts";
import { listProjectRows } from "../model/projects.ts";
import type { JobKind } from "../jobs/kind.ts";
import { jobId, putJob, setJob } from "../jobs/put.ts";
import {
  type AcceptedDue,
  acceptedJobs,
  type DriftDue,
  driftJobs,
  fixJobs,
} from "../drift/outbox.ts";
import { hostsJobs } from "../hosts/outbox.ts";
import { type ApprovalDue, approvalJobs } from "../queue/outboxes/approval_outbox.ts";
import { type AttemptDue, attemptJobs } from "../queue/outboxes/attempt_outbox.ts";
import { type RunDue, runJobs } from "../queue/outboxes/workflow_outbox.ts";
import { autorunJobs } from "../queue/start/autorun.ts";
import type { BuildDue } from "../queue/start/follow_builds.ts";
import { type Course, rewriteRows } from "../store/rows/rewrite_rows.ts";
import type { Store } from "../store/store.ts";
import { maintenanceEnds } from "./mode/service.ts";
import { projectDeletions } from "./projects/sweep.ts";
import { buildWorkflowJobs } from "../workflows/runs/after_build.ts";
import { fireUnfinished } from "./schedules_migration.ts";

/** A list of an earlier version, whose rows become jobs. */
interface OldList {
  /** First part of its keys. */
  name: string;
  /** Returns the kind of the job, and what it is asked for. */
  // deno-lint-ignore no-explicit-any -- rows of earlier versions
  asked(row: any, key: Deno.KvKey): { kind: JobKind<object>; input: object };
  /** Returns the time in milliseconds at which it is due; now without it. */
  at?(key: Deno.KvKey): number;
}

const old = <Input extends object>(
  name: string,
  kind: JobKind<Input>,
  input: (row: never, key: Deno.KvKey) => Input,
  at?: OldList["at"],
): OldList => ({
  name,
  asked: (row, key) => ({
    kind: kind as unknown as JobKind<object>,
    input: input(row as never, key),
  }),
  at,
});

/** Time in the second part of a key, as lists of due rows have it. */
const timeOf = (key: Deno.KvKey): number => Date.parse(key[1] as string);

/** A build with what is left to start after it. */
const build = ({ project_id, task_id, after }: BuildDue): BuildDue => ({
  project_id,
  task_id,
  after,
});

interface OfTask {
  project_id: number;
  template_id: number;
  task_id: number;
}

const LISTS: readonly OldList[] = [
  { name: "alerts_due", asked: alertJobOf, at: timeOf },
  old("drift_due", driftJobs, (row: DriftDue, key) => ({ ...row, task_id: key[1] as number })),
  old("drift_accepted_due", acceptedJobs, (row: AcceptedDue) => row, timeOf),
  old("drift_fix_due", fixJobs, (row: OfTask) => row, timeOf),
  old("autoruns_due", autorunJobs, build, timeOf),
  old("workflow_starts_due", buildWorkflowJobs, build, timeOf),
  old(
    "task_attempts_due",
    attemptJobs,
    ({ project_id, template_id, task_id }: AttemptDue) => ({ project_id, template_id, task_id }),
    timeOf,
  ),
  old(
    "task_approvals_due",
    approvalJobs,
    ({ project_id, task_id }: ApprovalDue) => ({ project_id, task_id }),
    timeOf,
  ),
  // A run had a row for each time. Its job finds out when it goes on.
  old(
    "workflow_runs_due",
    runJobs,
    ({ project_id, run_id }: RunDue) => ({ project_id, run_id }),
  ),
  old(
    "hosts_due",
    hostsJobs,
    ({ project_id, after }: { project_id: number; after: number }, key) => ({
      project_id,
      task_id: key[1] as number,
      after,
    }),
  ),
];

/** Rows beside these lists that woke servers, or said whose turn it was. */
const GONE = [
  ...["autoruns_wake", "workflow_starts_wake", "workflow_runs_wake", "task_attempts_wake"],
  ...["task_approvals_wake", "hosts_wake", "hosts_turn", "drift_wake", "drift_turn"],
  ...["drift_fix_wake", "drift_accepted_wake", "alerts_wake"],
];

/** Turns work that earlier versions kept in lists of their own into jobs. */
export async function moveToJobs(kv: Store, course: Course): Promise<void> {
  const now = Date.now();
  // Rows that were turned are gone, so an interrupted upgrade begins with the first that is left.
  const all: Course = { after: null, reach() {}, count: course.count };
  for (const { name, asked, at } of LISTS) {
    await rewriteRows<object>(kv, { prefix: [name], perCommit: 100 }, all, (op, entry) => {
      const { kind, input } = asked(entry.value, entry.key);
      const due = at?.(entry.key) ?? now;
      const project_id = (entry.value as { project_id?: number }).project_id ?? null;
      setJob(op.delete(entry.key), kind, jobId(kind, input), {
        input,
        project_id,
        at: due,
        decided: Math.min(now, due),
        attempts: 0,
      });
    });
  }
  await deleteMarked(kv, now);
  await endMaintenanceLater(kv, now);
  await fireUnfinished(kv);
  const op = kv.atomic();
  for (const name of GONE) op.delete([name]);
  await op.commit();
}

/** Another server of an earlier version may still be deleting or restoring a project. */
const OTHERS_MS = 5 * 60_000;

/** Puts jobs for projects that an earlier version has marked. It went on only at its next start. */
async function deleteMarked(kv: Store, now: number): Promise<void> {
  const clock = { now: () => new Date(now) };
  for (const { id, deleting } of await listProjectRows(kv)) {
    if (!deleting) continue;
    const op = kv.atomic();
    const job = { project_id: id };
    putJob(op, { clock }, projectDeletions, job, new Date(now + OTHERS_MS));
    await op.commit();
  }
}

/** Puts the job for an end of maintenance that an earlier version has stored. */
async function endMaintenanceLater(kv: Store, now: number): Promise<void> {
  const ends = (await readMaintenance(kv))?.ends;
  if (!ends) return;
  const op = kv.atomic();
  putJob(op, { clock: { now: () => new Date(now) } }, maintenanceEnds, { ends }, new Date(ends));
  await op.commit();
}
