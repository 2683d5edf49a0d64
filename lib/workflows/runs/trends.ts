import type * as z from "zod";
import type { ProjectScope } from "../../access/scope.ts";
import { rowKeys } from "../../store/keys.ts";
import { requireRow } from "../../store/row_reader.ts";
import type { FinalState } from "../step_state.ts";
import type { RunStats, runStatsQuery } from "../trend_schema.ts";
import { WHOLE_RUN } from "./trend_counters.ts";

/** Days that are answered if no other are asked for. */
const DAYS = 30;
const DAY_MS = 86_400_000;

type Counts = Partial<Record<FinalState | "seconds", number>>;

/** Returns how the runs of a workflow and their steps ended on each UTC day, oldest day first. */
export async function readRunStats(
  { deps: { kv, clock }, projectId }: ProjectScope,
  workflowId: number,
  { start, end }: z.output<typeof runStatsQuery> = {},
): Promise<RunStats> {
  await requireRow(kv, "workflows", projectId, workflowId);
  const since = start ??
    new Date(clock.now().getTime() - DAYS * DAY_MS).toISOString().slice(0, 10);
  const prefix = rowKeys.workflowTrends(projectId, workflowId);
  const selector = { start: [...prefix, since], end: [...prefix, end ?? "~"] };
  const days = new Map<string, Map<number, Counts>>();
  for await (const { key, value } of kv.list<Deno.KvU64>(selector, { batchSize: 500 })) {
    const [date, id, name] = key.slice(-3) as [string, number, keyof Counts];
    const day = days.get(date) ?? new Map<number, Counts>();
    days.set(date, day);
    day.set(id, { ...day.get(id), [name]: Number(value.value) });
  }
  return [...days].map(([date, day]) => {
    const whole = shown(day.get(WHOLE_RUN));
    return {
      date,
      count_by_status: whole.counts,
      avg_duration: whole.average,
      steps: [...day].filter(([id]) => id !== WHOLE_RUN).map(([id, sums]) => {
        const { counts, average } = shown(sums);
        return { id, count_by_state: counts, avg_duration: average };
      }),
    };
  });
}

/** Returns the counts, and the average duration in seconds. */
function shown({ seconds = 0, ...counts }: Counts = {}) {
  const { success = 0, failed = 0 } = counts;
  return { counts, average: Math.round(seconds / Math.max(1, success + failed)) };
}
