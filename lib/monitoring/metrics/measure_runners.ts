import type { Deps } from "../../access/deps.ts";
import { isOnline, type RunnerSeen, seenRunners } from "../../runners/presence.ts";
import { listRunners } from "../../runners/repository.ts";
import { isExpected, type RunnerRow } from "../../runners/rows.ts";
import { type Metrics, RUNNER_MEASURES, type RunnerMeasure } from "./metrics.ts";

/** Sets the gauges of runners. */
export async function measureRunners(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { runners: counts, runnerSeen }: Pick<Metrics, "runners" | "runnerSeen">,
): Promise<void> {
  const [runners, seen] = await Promise.all([listRunners(kv), seenRunners(kv)]);
  const now = clock.now();
  const states = runners.map((runner) => measureOf(runner, seen.get(runner.id), now));
  for (const state of RUNNER_MEASURES) {
    counts.set({ state }, states.filter((one) => one === state).length);
  }
  runnerSeen.reset();
  for (const runner of runners) {
    const at = seen.get(runner.id)?.at;
    if (at === undefined || !isExpected(runner)) continue;
    const { id, name, project_id } = runner;
    runnerSeen.set({ runner: id, name, project: project_id ?? 0 }, at / 1000);
  }
}

function measureOf(row: RunnerRow, seen: RunnerSeen | undefined, now: Date): RunnerMeasure {
  if (row.token_hash === null) return "unregistered";
  if (!isOnline(seen, now)) return "silent";
  return row.state;
}
