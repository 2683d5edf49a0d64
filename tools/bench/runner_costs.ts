import { rememberDue } from "../../lib/hosts/remember.ts";
import { newQueue } from "../../tests/support/server/queue.ts";
import { newTestRunner, NOTHING_YET } from "../../tests/support/world/test_runner.ts";
import { play, result, task } from "../../tests/support/world/reported_task.ts";
import { countOpened, measuring } from "./count_store.ts";
import { RESULTS, TASKS_OF_PLAY } from "./scale_playbook.ts";

const RUNS = 50;

/** Measures what a runner's polls and reports cost the server. */
export async function measureRunners() {
  const measured = measuring(countOpened());
  await using queue = await newQueue();
  const runner = await newTestRunner(queue.world);
  const templateId = await queue.makeTemplate({ runner_tag: "dmz", allow_parallel_tasks: true });
  queue.dispatch();
  await runner.poll();
  const poll = await measured(RUNS, async () => {
    for (let n = 0; n < RUNS; n++) await runner.poll();
  });
  const events = [play("Roll out"), ...reportedEvents()];
  const lines = Array.from({ length: LINES_OF_PLAY }, (_, n) => `ok: [web${n % 10}.example.com]`);
  const counts = { lines: lines.length, events: events.length };
  const checkedOut = { ...NOTHING_YET, checkout: { hash: "abc", message: "First play" } };
  const running = { ...checkedOut, started: true };
  const outcome = { end: "success" as const, reason: null, ...counts };
  const runnerTask = await measured(RUNS, async () => {
    for (let n = 0; n < RUNS; n++) {
      await queue.start(templateId);
      const run = await runner.claim();
      await runner.poll({ runs: [{ task_id: run.task_id, run: run.run, stop: null }], free: 0 });
      await runner.report(run, { state: checkedOut });
      await runner.report(run, { state: running });
      await runner.report(run, { lines, events, state: running });
      const from = { lines_from: counts.lines, events_from: counts.events };
      await runner.report(run, { ...from, state: { ...running, outcome } });
    }
    await rememberDue(queue.world.deps);
  });
  return { poll, runnerTask };
}

const LINES_OF_PLAY = RESULTS + 2 * TASKS_OF_PLAY;

function* reportedEvents() {
  for (let t = 1; t <= TASKS_OF_PLAY; t++) {
    yield task(`t${t}`);
    for (let h = 1; h <= RESULTS / TASKS_OF_PLAY; h++) {
      const diff = h % 10 === t % 10 ? `-${t}\n+${h}\n` : null;
      yield result(`t${t}`, `web${h}.example.com`, { status: diff ? "changed" : "ok", diff });
    }
  }
}
