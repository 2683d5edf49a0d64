import { conflict, notFound, type Sentence } from "../base/errors.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { JobId, JobKind } from "./kind.ts";
import { replaceJob } from "./put.ts";
import type { JobRow, SetAsideEntry } from "./rows.ts";

/** Jobs of one kind that are set aside. The oldest give way to new ones. */
const SET_ASIDE_MAX = 1_000;

/** Adds to `op` that no further attempt follows. Its checks ensure that `row` is stored. */
export function setAside(
  op: Atomic,
  { clock }: { clock: { now(): Date } },
  kind: JobKind<object>,
  id: JobId,
  row: JobRow,
  reason: Sentence,
): void {
  const at = clock.now().getTime();
  const { claim, ...kept } = row;
  op.delete(rowKeys.jobDue(kind.name, claim?.until ?? row.at, id))
    .set(rowKeys.job(kind.name, id), { ...kept, failure: { reason, at }, set_aside: at })
    .set(
      rowKeys.jobSetAside(kind.name, id),
      { project_id: row.project_id, at } satisfies SetAsideEntry,
    );
}

/** Removes the oldest of the jobs that are set aside if there are too many. */
export async function trimSetAside(kv: Store, kind: string): Promise<void> {
  const rows = kv.list<SetAsideEntry>({ prefix: rowKeys.jobsSetAsideOf(kind) });
  const found = await Array.fromAsync(rows);
  if (found.length <= SET_ASIDE_MAX) return;
  const oldest = found.reduce((a, b) => b.value.at < a.value.at ? b : a);
  const job = rowKeys.job(kind, oldest.key[2] as JobId);
  await kv.atomic().check(oldest).delete(oldest.key).delete(job).commit();
}

/** A job that was set aside. */
export interface JobSetAside {
  kind: string;
  id: JobId;
  row: JobRow;
}

/** Returns jobs that were set aside, the latest first, and whether there are older ones. */
export async function listSetAsideRows(
  kv: Store,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ jobs: JobSetAside[]; hasNext: boolean }> {
  // Each kind has at most `SET_ASIDE_MAX` of them.
  const entries = await Array.fromAsync(
    kv.list<SetAsideEntry>({ prefix: rowKeys.jobsSetAside() }, { batchSize: 500 }),
  );
  entries.sort((a, b) => b.value.at - a.value.at);
  const jobs: JobSetAside[] = [];
  for (const { key } of entries.slice(skip, skip + limit)) {
    const [kind, id] = key.slice(1) as [string, JobId];
    const { value: row } = await kv.get<JobRow>(rowKeys.job(kind, id));
    if (row?.set_aside !== undefined) jobs.push({ kind, id, row });
  }
  return { jobs, hasNext: skip + limit < entries.length };
}

/** Returns the ids of the jobs of a kind that were set aside. */
export const setAsideOfKind = async (kv: Store, kind: string): Promise<JobId[]> =>
  (await Array.fromAsync(kv.list({ prefix: rowKeys.jobsSetAsideOf(kind) })))
    .map(({ key }) => key[2] as JobId);

/** Returns a job that was set aside, and adds to `op` that it stays so. Throws not found. */
export async function holdSetAside(
  kv: Store,
  op: Atomic,
  kind: string,
  id: JobId,
): Promise<JobRow> {
  const entry = await kv.get<JobRow>(rowKeys.job(kind, id));
  if (entry.value?.set_aside === undefined) throw notFound();
  op.check(entry);
  return entry.value;
}

/** Makes a held job due now, with all of its attempts. Throws if this version cannot do it. */
export function tryAgain(
  op: Atomic,
  { clock }: { clock: { now(): Date } },
  kind: JobKind<object> | undefined,
  id: JobId,
  { set_aside: _, ...row }: JobRow,
): void {
  if (!kind?.schema.safeParse(row.input).success) throw conflict("errors.jobs.invalid");
  const now = clock.now().getTime();
  replaceJob(op, kind, id, { ...row, at: now, decided: now, attempts: 0 });
}
