import type { Deps } from "../../access/deps.ts";
import { paths } from "../../base/paths.ts";
import { queueNotice } from "../../events/notices.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import { scheduleActor, scheduleEvent } from "./actor.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";

/** A due time that this server took and must now start a task for. */
export interface Firing {
  row: ScheduleRow;
  /**
   * Key of the "unfinished" row. It is deleted when the task is started, or becomes due if this
   * server dies.
   */
  unfinished: Deno.KvKey;
}

/** Longer than starting a task takes, or checking a slow repository first. */
const LEASE_MS = 60_000;
export const CHECKING_LEASE_MS = 15 * 60_000;

export const leaseEnd = ({ repository_id }: ScheduleRow, now: Date): string =>
  new Date(now.getTime() + (repository_id === null ? LEASE_MS : CHECKING_LEASE_MS)).toISOString();

export const checkingUntil = ({ repository_id }: ScheduleRow, until: string) =>
  repository_id === null ? {} : { checking_until: until };

export const missedError = (now: Date) => ({
  key: "errors.schedule_missed",
  at: now.toISOString(),
});

/**
 * Commits a taken time. With `run`, it also stores an "unfinished" row that becomes due at `until`.
 */
export async function promise(
  deps: Deps,
  op: Atomic,
  row: ScheduleRow,
  run: boolean,
  until: string,
): Promise<Firing | null> {
  const unfinished = rowKeys.scheduleDue(until, row.id, "unfinished");
  const due: DueRow = {
    project_id: row.project_id,
    checks: row.repository_id !== null,
    taken: deps.clock.now().toISOString(),
    last_task: (await deps.kv.get<number>(rowKeys.lastId("tasks"))).value ?? 0,
  };
  if (run) op.set(unfinished, due);
  const { ok } = await op.commit();
  return ok && run ? { row, unfinished } : null;
}

export function recordMissed(
  op: Atomic,
  deps: Deps,
  row: ScheduleRow,
  count: number,
  since: string,
  run: boolean,
) {
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
