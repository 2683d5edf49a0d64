import * as z from "zod";
import type { Deps } from "../../access/deps.ts";
import { paths } from "../../base/paths.ts";
import { queueNotice } from "../../events/notices.ts";
import { recordEvent } from "../../events/record.ts";
import { jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";
import type { Atomic } from "../../store/store.ts";
import { scheduleActor, scheduleEvent } from "./actor.ts";
import type { ScheduleRow } from "./schema.ts";

/** A time of a schedule that was taken, and for which a task or a run is to be started. */
export interface Firing {
  project_id: number;
  schedule_id: number;
  /** When it was taken, in ISO 8601. */
  taken: string;
  /** The task that was started. Only the schedule does not know it yet. */
  started?: number;
  /** The commit that was seen, if a repository was checked. */
  commit?: string | null;
}

const schema = z.object({
  project_id: z.int(),
  schedule_id: z.int(),
  taken: z.iso.datetime(),
  started: z.int().optional(),
  commit: z.string().nullish(),
});

/** Starts at once. */
export const scheduleStarts = jobKind<Firing>({ name: "schedule_start", schema });

/** Starts after a look at a repository. That is slow, so a schedule has one at a time. */
export const scheduleChecks = jobKind<Firing>({
  name: "schedule_check",
  schema,
  uniqueBy: ({ schedule_id }) => schedule_id,
});

/** Adds the job that starts what a schedule is for to `op`. */
export function putFiring(
  op: Atomic,
  deps: { clock: { now(): Date } },
  row: ScheduleRow,
  known: Partial<Firing> = {},
): void {
  const { project_id, id: schedule_id } = row;
  const taken = deps.clock.now().toISOString();
  const firing: Firing = { project_id, schedule_id, taken, ...known };
  putJob(op, deps, row.repository_id === null ? scheduleStarts : scheduleChecks, firing);
}

/** A time that is later than this counts as missed, because the machine was asleep. */
const LATE_MS_MAX = 60_000;

export const isLate = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > LATE_MS_MAX;

export const missedError = (now: Date) => ({
  key: "errors.schedule_missed",
  at: now.toISOString(),
});

/** Adds to `op` that times have passed, unless the next look finds the same commits anyway. */
export function recordMissed(
  op: Atomic,
  deps: Deps,
  row: ScheduleRow,
  { count, since, run }: { count: number; since: string; run: boolean },
): void {
  if (row.set_by === "check_after_commit") return;
  const action = run ? "made_up" : "missed";
  const about = scheduleEvent(row);
  recordEvent(op, deps, scheduleActor(row), {
    ...about,
    action,
    params: { count, since },
  });
  if (run) return;
  queueNotice(op, deps, {
    event: "schedule_missed",
    project_id: row.project_id,
    template_id: row.template_id,
    title: { key: "alerts.title.schedule_missed", params: { schedule: about.name } },
    path: paths.item(row.project_id, "schedules", row.id),
  });
}
