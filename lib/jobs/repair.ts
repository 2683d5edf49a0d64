import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import { JOB_LEASE_MS } from "./attempt.ts";
import type { JobId } from "./kind.ts";
import type { DueEntry, JobRow } from "./rows.ts";
import type { JobDeps } from "./worker.ts";

/** Clocks of several servers differ slightly. */
const TOLERANCE_MS = 60_000;

/**
 * Makes jobs due that would otherwise wait too long: with `releaseAll`, those of a server that has
 * ended, and, after the clock was set back, those that are further ahead than they were postponed.
 * Without `kind`, it does so for all kinds.
 */
export async function repairIndex(
  { kv, clock }: Pick<JobDeps, "kv" | "clock">,
  { releaseAll, kind }: { releaseAll: boolean; kind?: string },
): Promise<void> {
  const now = clock.now().getTime();
  const prefix = kind === undefined ? rowKeys.jobsDue() : rowKeys.jobsDueOf(kind);
  for await (const { key, value } of kv.list<DueEntry>({ prefix }, { batchSize: 500 })) {
    const aheadMs = Date.parse(key[2] as string) - now;
    const isClaimed = value.server !== undefined;
    const mayWaitMs = isClaimed ? JOB_LEASE_MS : value.wait ?? 0;
    if (isClaimed && releaseAll || aheadMs > mayWaitMs + TOLERANCE_MS) {
      await makeDue({ kv, clock }, key);
    }
  }
}

/** Makes the job of an entry of the index due, unless it has changed meanwhile. */
const makeDue = (
  { kv, clock }: Pick<JobDeps, "kv" | "clock">,
  key: Deno.KvKey,
): Promise<void> =>
  transact(kv, async (op) => {
    const [kind, time, id] = key.slice(1) as [string, string, JobId];
    const entry = await kv.get<JobRow>(rowKeys.job(kind, id));
    op.check(entry).delete(key);
    const { claim, ...row } = entry.value ?? { claim: undefined, at: 0 };
    const isOwn = entry.value && entry.value.set_aside === undefined &&
      new Date(claim?.until ?? row.at).toISOString() === time;
    if (!isOwn) return;
    const now = clock.now().getTime();
    const at = Math.min(row.at, now);
    const { project_id, server: _, wait: __, ...hint } = (await kv.get<DueEntry>(key)).value ??
      { project_id: null };
    op.set(entry.key, { ...row, at, decided: now })
      .set(rowKeys.jobDue(kind, at, id), { project_id, ...hint } satisfies DueEntry)
      .set(rowKeys.jobsWake(kind), id);
  });
