import { notFound } from "../../base/errors.ts";
import { collection } from "../../kv/collection.ts";
import { type Ref, rowKeys } from "../../kv/keys.ts";
import { type DueRow, inventoryOf, type ScheduleRow } from "./schema.ts";

export const scheduleRows = collection<ScheduleRow>("schedules", {
  references: ({ repository_id, task_params }) => {
    const used: Ref[] = [];
    if (repository_id !== null) used.push(["repositories", repository_id]);
    const inventoryId = inventoryOf(task_params);
    if (inventoryId !== null) used.push(["inventories", inventoryId]);
    return used;
  },
  documents: ["task_params"],
});

/** Adds a new schedule to `op`, with the time when it comes first. Its template must stay until then. */
export async function insertSchedule(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  row: ScheduleRow,
): Promise<void> {
  await holdTemplate(kv, op, row);
  await scheduleRows.insert(kv, op, row);
  setDue(op, row);
}

/** Adds to `op` the change of a schedule, and of the time when it comes next; throws not found. */
export async function updateSchedule(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
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
  // Each change moves the guard, so that a deletion of the template sees schedules as they are.
  moveGuard(op, before!);
  if (template_id !== row.template_id) await holdTemplate(kv, op, row);
  if (next_at !== row.next_at || !sameChecks(before!, row)) {
    dropDue(op, before!);
    setDue(op, row);
  }
  return row;
}

/** Adds the deletion of a schedule to `op`; throws not found. */
export async function removeSchedule(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  id: number,
): Promise<ScheduleRow> {
  const row = await scheduleRows.remove(kv, op, projectId, id);
  dropDue(op, row);
  return row;
}

/** The schedules of one template by id. */
export async function listTemplateSchedules(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<ScheduleRow[]> {
  return (await scheduleRows.list(kv, projectId)).filter((row) => row.template_id === templateId);
}

/** A commit takes 1,000 changes, and a schedule's deletion some five. */
const DELETED_AT_ONCE = 100;

/**
 * Adds to `op` the deletion of a template's schedules: they belong to it, and go with it. One check
 * holds them all. False when there are more than one commit takes: restored projects may have them.
 */
export async function deleteTemplateSchedules(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  templateId: number,
): Promise<boolean> {
  op.check(await kv.get(rowKeys.referenceGuard(projectId, ["templates", templateId]))); // before the list
  const schedules = await listTemplateSchedules(kv, projectId, templateId);
  for (const row of schedules.slice(0, DELETED_AT_ONCE)) {
    await scheduleRows.uproot(kv, op, row);
    dropDue(op, row);
  }
  return schedules.length <= DELETED_AT_ONCE;
}

/**
 * Adds to `op` that the schedule's template exists by commit. It moves the template's guard, as a
 * reference does, so that a deletion that has not seen this schedule begins again.
 */
async function holdTemplate(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  row: ScheduleRow,
) {
  const template = await kv.get(rowKeys.resource("templates", row.project_id, row.template_id));
  if (template.versionstamp === null) throw notFound();
  moveGuard(op.check(template), row);
}

/** A schedule is no reference to its template, but belongs to it: what it does moves the same guard. */
function moveGuard(op: Deno.AtomicOperation, { id, project_id, template_id }: ScheduleRow) {
  op.set(rowKeys.referenceGuard(project_id, ["templates", template_id]), id);
}

const sameChecks = (a: ScheduleRow, b: ScheduleRow) =>
  (a.repository_id === null) === (b.repository_id === null);

/** Adds to `op` the time when a schedule comes next, if it does. */
export function setDue(
  op: Deno.AtomicOperation,
  { id, project_id, next_at, repository_id }: ScheduleRow,
) {
  if (next_at === null) return;
  const due: DueRow = { project_id, checks: repository_id !== null };
  op.set(rowKeys.scheduleDue(next_at, id, "run"), due).set(rowKeys.schedulerWake(), id);
}

function dropDue(op: Deno.AtomicOperation, { id, next_at }: ScheduleRow) {
  if (next_at !== null) op.delete(rowKeys.scheduleDue(next_at, id, "run"));
}
