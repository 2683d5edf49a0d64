import { TIME_MAX } from "../base/time/clock.ts";
import { rowKeys } from "../store/keys.ts";
import { requireLimit, valueBytes } from "../store/limits.ts";
import type { Atomic, Store } from "../store/store.ts";
import { transact } from "../store/transact.ts";
import type { JobId, JobKind } from "./kind.ts";
import type { DueEntry, JobRow } from "./rows.ts";

interface PutDeps {
  clock: { now(): Date };
}

/**
 * Adds work to `op` that is due now, or at a time. It is stored with the commit of the caller or
 * not at all. Returns its id. Throws StoreLimitError for a large input.
 */
export function putJob<Input extends object>(
  op: Atomic,
  { clock }: PutDeps,
  kind: JobKind<Input>,
  input: Input,
  at?: Date,
): JobId {
  const id = jobId(kind, input);
  replaceJob(op, kind, id, newRow(input, clock.now().getTime(), at?.getTime()));
  return id;
}

/** Adds a job to `op` as `setJob` does, also in place of one that was set aside. */
export function replaceJob<Input extends object>(
  op: Atomic,
  kind: JobKind<Input>,
  id: JobId,
  row: JobRow<Input>,
): void {
  op.delete(rowKeys.jobSetAside(kind.name, id));
  setJob(op, kind, id, row);
}

/**
 * Returns the row of a job that was never tried. Times are in milliseconds. Throws StoreLimitError
 * for a large input.
 */
export function newRow<Input extends object>(input: Input, now: number, at = now): JobRow<Input> {
  requireRoom(input);
  return {
    input,
    project_id: projectOf(input),
    at: Math.min(at, TIME_MAX),
    decided: now,
    attempts: 0,
  };
}

/** Bytes of the longest reason of a failure. */
export const REASON_BYTES_MAX = 2_048;
/** Bytes that attempts may add to a row: their claim, its failure, and the times. */
const ADDED_BYTES_MAX = REASON_BYTES_MAX + 1_024;

/** Throws StoreLimitError if a row with this input may become too large for the store. */
export const requireRoom = (input: object): void =>
  requireLimit(rowKeys.jobs(), "valueBytes", valueBytes(input) + ADDED_BYTES_MAX);

/** Returns the id of a job: that of all jobs which are one with it, or a new one. */
export const jobId = <Input extends object>(kind: JobKind<Input>, input: Input): JobId =>
  kind.uniqueBy?.(input) ?? crypto.randomUUID();

const projectOf = (input: object): number | null =>
  "project_id" in input && typeof input.project_id === "number" ? input.project_id : null;

/** Adds a job that is due to `op`, with the entry of the index, and wakes the servers. */
export function setJob<Input extends object>(
  op: Atomic,
  kind: JobKind<Input>,
  id: JobId,
  row: JobRow<Input>,
): void {
  const due = row.claim?.until ?? row.at;
  op.set(rowKeys.job(kind.name, id), row)
    .set(rowKeys.jobDue(kind.name, due, id), dueEntry(kind, row));
  if (!row.claim) op.set(rowKeys.jobsWake(kind.name), id);
}

/** Removes the job of work that no worker repeats any more. */
export const endPeriodic = (kv: Store, kind: JobKind<Record<never, never>>): Promise<void> =>
  transact(kv, async (op) => {
    const id = jobId(kind, {});
    const entry = await kv.get<JobRow>(rowKeys.job(kind.name, id));
    if (entry.value) deleteJob(op.check(entry), kind.name, id, entry.value);
  });

const dueEntry = <Input extends object>(
  { groupBy }: JobKind<Input>,
  { project_id, input, claim, at, decided }: JobRow<Input>,
): DueEntry => ({
  project_id,
  ...at > decided && { wait: at - decided },
  ...groupBy && { group: groupBy(input) },
  ...claim && { server: claim.server },
});

/** Adds the deletion of a job to `op`, whose checks ensure that `row` is stored. */
export function deleteJob(op: Atomic, kind: string, id: JobId, row: JobRow): void {
  op.delete(rowKeys.job(kind, id));
  if (row.set_aside !== undefined) op.delete(rowKeys.jobSetAside(kind, id));
  else op.delete(rowKeys.jobDue(kind, row.claim?.until ?? row.at, id));
}
