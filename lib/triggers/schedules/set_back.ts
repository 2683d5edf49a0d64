import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { nextAfterSetBack } from "./cron.ts";
import { timetableOf } from "./due.ts";
import { scheduleRows, updateScheduleRow } from "./repository.ts";
import type { DueRow } from "./schema.ts";

/** Clocks of several servers differ a little. */
const TOLERANCE_MS = 60_000;

/** Plans times again after the clock was set back. */
export async function planAnew(deps: Deps): Promise<void> {
  const prefix = rowKeys.schedulesDue();
  for await (const entry of deps.kv.list<DueRow>({ prefix }, { batchSize: 100 })) {
    await planRun(deps, entry);
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
