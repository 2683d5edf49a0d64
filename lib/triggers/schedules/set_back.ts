import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { orOvertaken, transact } from "../../store/transact.ts";
import { nextAfterSetBack } from "./cron.ts";
import { timetableOf } from "./due.ts";
import { scheduleRows, updateScheduleRow } from "./repository.ts";
import type { DueRow } from "./schema.ts";
import { CHECKING_LEASE_MS } from "./firing.ts";

/** Clocks of several servers differ a little. */
const TOLERANCE_MS = 60_000;

/**
 * Plans times again after the clock was set back. Rows for which `isOwn` is true belong to starts
 * in progress in this process, and are left alone.
 */
export async function planAnew(deps: Deps, isOwn: (key: Deno.KvKey) => boolean): Promise<void> {
  const prefix = rowKeys.schedulesDue();
  for await (const entry of deps.kv.list<DueRow>({ prefix }, { batchSize: 100 })) {
    if (entry.key[3] === "run") await planRun(deps, entry);
    else if (!isOwn(entry.key)) await pullForward(deps, entry);
  }
}

async function planRun({ kv, clock }: Deps, { key, value }: Deno.KvEntry<DueRow>) {
  const [, at, id] = key as [string, string, number];
  await transact(kv, async (op) => {
    const row = (await scheduleRows.find(kv, value.project_id, id))?.row;
    if (row?.next_at !== at || row.type === "run_at") return;
    const next = planned(() => nextAfterSetBack(timetableOf(row), new Date(at), clock.now()));
    if (next === null || Date.parse(at) - next.getTime() <= TOLERANCE_MS) return;
    await updateScheduleRow(kv, op, value.project_id, id, (current) => ({
      ...current,
      next_at: next.toISOString(),
    }));
  });
}

/**
 * An invalid time zone, for example one that the server no longer knows, is reported when the
 * schedule is due.
 */
function planned(plan: () => Date | null): Date | null {
  try {
    return plan();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Moves an "unfinished" row that lies further ahead than any lease back to the end of a lease. */
async function pullForward(
  { kv, clock }: Deps,
  { key, value, versionstamp }: Deno.KvEntry<DueRow>,
) {
  const [, at, id] = key as [string, string, number];
  const latest = clock.now().getTime() + CHECKING_LEASE_MS;
  if (Date.parse(at) <= latest + TOLERANCE_MS) return;
  const moved = new Date(latest).toISOString();
  // The server that was starting it may have finished meanwhile.
  await orOvertaken(transact(kv, async (op) => {
    op.check({ key, versionstamp }).delete(key)
      .set(rowKeys.scheduleDue(moved, id, "unfinished"), value)
      .set(rowKeys.schedulerWake(), id);
    const found = await scheduleRows.find(kv, value.project_id, id);
    if (found?.row.checking_until !== at) return;
    await updateScheduleRow(kv, op, value.project_id, id, (row) => ({
      ...row,
      checking_until: moved,
    }));
  }));
}
