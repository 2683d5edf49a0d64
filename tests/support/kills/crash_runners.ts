import assert from "node:assert/strict";
import { join } from "node:path";
import { type FarRunner, newFarRunner } from "@/tests/support/programs/far_runner.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import { until } from "@/tests/support/basics/until.ts";

const SECRET = `hunter2-far-away-${crypto.randomUUID()}`;
/** Number of lines that a run prints, and the pause before each: about a second in all. */
const [LINES, PAUSE_MS] = [30, 30];
/** More than the runner takes in parallel, so that one waits. */
const QUEUED = 3;
const SETTLE_MS = 60_000;
/** Shorter than a poll that is held, so that a run which is noticed only by the next one fails. */
const END_MS = 20_000;
const KILLS = ["server", "runner", "both"] as const;

/**
 * Kills a real server, its real runner, or both in the middle of runs, `rounds` times at random
 * moments. Throws when a task does not end exactly once or lacks a line, and when a process, a file
 * or a secret is left behind.
 */
export async function crashRunners(rounds: number, report: (round: string) => void = () => {}) {
  await using far = await newFarRunner();
  try {
    const templateId = await makeTemplate(far);
    for (let round = 0; round < rounds; round++) {
      const kill = KILLS[round % KILLS.length];
      const tasks = await Promise.all(
        Array.from({ length: QUEUED }, () => far.project.startTask(templateId)),
      );
      const afterMs = Math.round(Math.random() * (2 * LINES * PAUSE_MS));
      await pause(afterMs);
      const restartedAt = await killed(far, kill, round % 2 === 0);
      const ends = await requireEnds(far, tasks, kill);
      report(
        `${kill} killed after ${String(afterMs).padStart(4)} ms: ${ends.join(", ")}; ` +
          `all ended ${Math.round(performance.now() - restartedAt)} ms after the restart`,
      );
      await requireNothingLeft(far);
    }
  } catch (error) {
    const outputs = `${far.project.printed()}\nand of the runner:\n${far.runner.output()}`;
    throw new Error(`After this output of the server:\n${outputs}`, { cause: error });
  }
}

/** Creates a template with every kind of secret. */
async function makeTemplate({ project, repositoryId }: FarRunner): Promise<number> {
  const key = await project.make("keys", {
    name: "Everything",
    type: "login_password",
    login_password: { login: "root", password: SECRET },
  });
  return await project.makeTemplate({
    name: "Secret work",
    repository_id: repositoryId,
    runner_tag: "far",
    allow_parallel_tasks: true,
    inventory_id: await project.make("inventory", {
      name: "Hosts",
      type: "static",
      inventory: "localhost ansible_connection=local\n",
      ssh_key_id: key,
      become_key_id: key,
    }),
    environment_id: await project.make("environment", {
      name: "Settings",
      json: "{}",
      env: JSON.stringify({
        CALLBOARD_STAND_IN_LINES: String(LINES),
        CALLBOARD_STAND_IN_SLEEP_MS: String(PAUSE_MS),
        CALLBOARD_STAND_IN_DUMP: "1",
      }),
      secrets: [{ type: "var", name: "token", secret: SECRET, operation: "create" }],
    }),
    vaults: [{ vault_key_id: key, name: null }],
  });
}

/**
 * Kills and restarts. With `waits`, processes of the runner must end on their own before. Returns
 * when the restart began.
 */
async function killed(far: FarRunner, kill: typeof KILLS[number], waits: boolean): Promise<number> {
  const { project, dataDir, runner } = far;
  async function killRunner() {
    runner.kill("SIGKILL");
    await runner.code;
    if (waits) await until(() => findProcesses(`${dataDir}/tasks`).length === 0, SETTLE_MS);
  }
  let restartedAt = performance.now();
  if (kill === "runner") {
    await killRunner();
    restartedAt = performance.now();
  } else {
    await project.restart("SIGKILL", async () => {
      if (kill === "both") await killRunner();
      restartedAt = performance.now();
    });
  }
  if (kill !== "server") far.startRunner();
  return restartedAt;
}

/** Waits for the ends of tasks, and requires that each has ended once and for a good reason. */
async function requireEnds({ project }: FarRunner, tasks: number[], kill: string) {
  const ends: string[] = [];
  for (const id of tasks) {
    const { task, log } = await project.ended(id, END_MS);
    const isInterrupted = task.status === "error" && kill !== "server" &&
      log.includes("was restarted");
    assert.ok(task.status === "success" || isInterrupted, `task ${id}: ${task.status}\n${log}`);
    const items = [...log.matchAll(/item=(\d+)\)/g)].map(([, n]) => Number(n));
    assert.deepEqual(items, items.map((_, n) => n + 1), `task ${id} lacks a line`);
    if (!isInterrupted) {
      assert.equal(items.length, LINES);
      assert.equal((await project.get(`tasks/${id}/results`)).length, 1);
    }
    ends.push(isInterrupted ? "interrupted" : task.status);
  }
  const events = await project.get("events");
  for (const [n, id] of tasks.entries()) {
    const own = events.filter((event: Record<string, unknown>) =>
      event.object_type === "task" && event.object_id === id
    );
    const texts: string[] = own.map(({ description }: { description: string }) => description);
    const count = texts.filter((text) => /finished|failed|stopped|interrupted|lost/.test(text));
    assert.equal(count.length, 1, `events of task ${id}, ${ends[n]}: ${texts.join("; ")}`);
  }
  return ends;
}

/** Requires that neither machine has a process, a file or a secret of a task. */
async function requireNothingLeft({ project, dataDir }: FarRunner): Promise<void> {
  const folders = ["tasks", "spool"].map((name) => join(dataDir, name));
  await until(() => folders.every(isEmpty), SETTLE_MS);
  assert.deepEqual(findProcesses(`${dataDir}/tasks`), []);
  const { stdout } = await new Deno.Command("grep", {
    args: ["--recursive", "--files-with-matches", "--text", "--", SECRET, dataDir, project.dataDir],
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "", "files with a secret");
}

function isEmpty(directory: string): boolean {
  try {
    return [...Deno.readDirSync(directory)].length === 0;
  } catch {
    return true;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
