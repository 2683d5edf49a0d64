import type { Deps } from "../access/deps.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { transact } from "../store/transact.ts";
import { seenRunners } from "../runners/presence.ts";
import {
  findRunnerEntry,
  listRunners,
  removeRunner,
  setRunnerLost,
} from "../runners/repository.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import { recordEvent } from "../events/record.ts";
import { runnerEvent } from "../runners/events.ts";
import { isExpected, type RunnerRow } from "../runners/rows.ts";
import { putAlert } from "./outbox.ts";

/** A runner that was silent for this long is lost. */
const RUNNER_LOST_MS = 10 * 60_000;
const LOOK_MS = 60_000;

/**
 * Queues an alert when a runner was silent for too long, and another one when it is back. Only one
 * server queues it. One-off runners are deleted instead. A server that has just started waits
 * first, because its runners may not have reconnected yet.
 */
export function watchRunners(deps: Deps): Loop {
  const startedAt = deps.clock.ticks();
  return startLoop(deps, {
    name: "runner_watch",
    async step() {
      const hasWaited = deps.clock.ticks() - startedAt >= RUNNER_LOST_MS;
      await lookForLostRunners(deps, hasWaited);
      return LOOK_MS;
    },
  });
}

/** Checks all runners once. Unless `mayBeLost`, it reports only runners that are back. */
export async function lookForLostRunners(deps: Deps, mayBeLost = true): Promise<void> {
  const { kv, clock } = deps;
  const [runners, seen] = await Promise.all([listRunners(kv), seenRunners(kv)]);
  for (const runner of runners) {
    const at = seen.get(runner.id)?.at;
    // One that was just registered has not called yet, or not for a long time.
    const since = Math.max(at ?? 0, Date.parse(runner.registered ?? runner.created));
    const isSilent = clock.now().getTime() - since >= RUNNER_LOST_MS;
    if (runner.one_off) {
      if (mayBeLost && isSilent) await removeOneOff(deps, runner);
      continue;
    }
    if (at === undefined) continue;
    const isLost = isExpected(runner) && isSilent;
    if (isLost && !mayBeLost) continue;
    if (isLost !== (runner.lost ?? false)) await report(deps, runner.id, isLost, at);
  }
}

/** Deletes a one-off runner that has ended, unless tasks of it have not ended yet. */
async function removeOneOff(deps: Deps, { id }: RunnerRow): Promise<void> {
  const { kv } = deps;
  if ((await listOpenTasks(kv)).some(({ runner_id }) => runner_id === id)) return;
  await transact(kv, async (op) => {
    const entry = await findRunnerEntry(kv, id);
    if (!entry) return;
    removeRunner(op.check(entry), id);
    const actor = { kind: "server", id, projectId: entry.value.project_id ?? 0 } as const;
    recordEvent(op, deps, actor, runnerEvent(entry.value, "deleted"));
  });
}

/** Stores that a runner is lost or back, with the alert, unless another server was faster. */
const report = ({ kv, clock }: Deps, id: number, isLost: boolean, at: number): Promise<void> =>
  transact(kv, async (op) => {
    const entry = await findRunnerEntry(kv, id);
    if (!entry || (entry.value.lost ?? false) === isLost) return;
    const row = entry.value;
    setRunnerLost(op.check(entry), row, isLost);
    if (!isExpected(row)) return; // a draining runner is not back
    putAlert(op, { clock }, {
      kind: "lost_runner",
      project_id: row.project_id,
      runner_id: id,
      name: row.name,
      state: isLost ? "lost" : "back",
      last_seen: new Date(at).toISOString(),
    });
  });
