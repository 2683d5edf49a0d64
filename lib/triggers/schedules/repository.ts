import { notFound } from "../../base/errors.ts";
import { findTemplateEntry } from "../../model/templates.ts";
import { collection } from "../../store/collection.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import type { TriggerTarget } from "../trigger_target.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";

export const scheduleRows = collection<ScheduleRow>("schedules", {
  references: ({ workflow_id, repository_id, task_params }) => {
    const used: Ref[] = [];
    if (workflow_id) used.push(["workflows", workflow_id]);
    if (repository_id !== null) used.push(["repositories", repository_id]);
    const inventoryId = chosenInventory(task_params);
    if (inventoryId !== null) used.push(["inventories", inventoryId]);
    return used;
  },
  documents: ["task_params"],
});

/**
 * Adds a new schedule to `op`, with its first time. The commit fails if its template is deleted.
 */
export async function insertSchedule(
  kv: Store,
  op: Atomic,
  row: ScheduleRow,
): Promise<void> {
  await holdTemplate(kv, op, row);
  await scheduleRows.insert(kv, op, row);
  setDue(op, row);
}

/** Adds the change of a schedule and of its next time to `op`. Throws not found. */
export async function updateScheduleRow(
  kv: Store,
  op: Atomic,
  projectId: number,
  id: number,
  change: (row: ScheduleRow) => ScheduleRow,
): Promise<ScheduleRow> {
  let before: ScheduleRow | null = null;
  const row = await scheduleRows.update(kv, op, projectId, id, (current) => {
    before = current;
    return change(current);
  });
  const { next_at, template_id } = before!;
  // Each change updates the guard, so that a deletion of the template sees the current schedules.
  moveGuard(op, before!);
  if (template_id !== row.template_id) await holdTemplate(kv, op, row);
  if (next_at !== row.next_at) {
    dropDue(op, before!);
    setDue(op, row);
  }
  return row;
}

/** Adds the deletion of a schedule to `op`. Throws not found. */
export async function removeSchedule(
  kv: Store,
  op: Atomic,
  projectId: number,
  id: number,
): Promise<ScheduleRow> {
  const row = await scheduleRows.remove(kv, op, projectId, id);
  forgetTimes(op, row);
  return row;
}

/** The schedules of one template or workflow by id. */
export async function listScheduleRows(
  kv: Store,
  projectId: number,
  { template_id, workflow_id }: TriggerTarget,
): Promise<ScheduleRow[]> {
  return (await scheduleRows.list(kv, projectId)).filter((row) =>
    row.template_id === template_id && row.workflow_id === workflow_id
  );
}

/** A commit takes 1,000 changes, and deleting a schedule needs about five. */
const DELETED_AT_ONCE = 100;

/**
 * Adds the deletion of a template's schedules to `op`. One check covers all of them. Returns false
 * if one commit cannot delete all. Restored projects may have that many.
 */
export async function deleteTemplateSchedules(
  kv: Store,
  op: Atomic,
  projectId: number,
  templateId: number,
): Promise<boolean> {
  // Read before the list, so that the commit fails if the list changes.
  op.check(await kv.get(rowKeys.referenceGuard(projectId, ["templates", templateId])));
  const schedules = await listScheduleRows(kv, projectId, {
    template_id: templateId,
    workflow_id: null,
  });
  for (const row of schedules.slice(0, DELETED_AT_ONCE)) {
    await scheduleRows.uproot(kv, op, row);
    forgetTimes(op, row);
  }
  return schedules.length <= DELETED_AT_ONCE;
}

/**
 * Adds a check to `op` that the schedule's template exists. Like a reference, it updates the
 * template's guard, so that a deletion that has not seen this schedule is repeated.
 */
async function holdTemplate(
  kv: Store,
  op: Atomic,
  row: ScheduleRow,
) {
  const { project_id, template_id } = row;
  if (template_id === null) return;
  const template = await findTemplateEntry(kv, project_id, template_id);
  if (template.versionstamp === null) throw notFound();
  moveGuard(op.check(template), row);
}

/**
 * Updates the guard of the schedule's template. A schedule is not a reference to its template, but
 * belongs to it. It is a reference to its workflow.
 */
function moveGuard(op: Atomic, { id, project_id, template_id }: ScheduleRow) {
  if (template_id === null) return;
  op.set(rowKeys.referenceGuard(project_id, ["templates", template_id]), id);
}

/** Adds the next time of a schedule to `op`, if it has one. */
export function setDue(op: Atomic, { id, project_id, next_at }: ScheduleRow) {
  if (next_at === null) return;
  op.set(rowKeys.scheduleDue(next_at, id), { project_id } satisfies DueRow).set(
    rowKeys.schedulerWake(),
    id,
  );
}

/** Adds the deletion of the rows that a deleted schedule leaves to `op`. */
function forgetTimes(op: Atomic, row: ScheduleRow) {
  dropDue(op, row);
  op.delete(rowKeys.latestStart(row.project_id, "schedule", row.id))
    .delete(rowKeys.latestRunStart(row.project_id, "schedule", row.id));
}

function dropDue(op: Atomic, { id, next_at }: ScheduleRow) {
  if (next_at !== null) op.delete(rowKeys.scheduleDue(next_at, id));
}
