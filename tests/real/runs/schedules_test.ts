import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { runEnvironment } from "@/lib/execution/run/environment.ts";
import { remoteCommit } from "@/lib/execution/git/remote_commit.ts";
import { listEvents } from "@/lib/events/service.ts";
import { transact } from "@/lib/store/transact.ts";
import { repositoryRows } from "@/lib/resources/repositories/repository.ts";
import { scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import { createSchedule, getSchedule } from "@/lib/triggers/schedules/service.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { schedule, startSchedules } from "@/tests/support/world/schedules.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const realClock = { clock: { now: () => new Date(), ticks: () => performance.now() } };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const tasksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 100 });

/** Starts a scheduler that reads repositories with the real git. */
function startReal({ deps }: World) {
  const environment = runEnvironment(deps.config, noIsolation, Deno.env);
  return startSchedules(deps, (...call) => remoteCommit(environment, ...call));
}

async function create(world: World, form: Record<string, unknown>) {
  const { deps, people, web } = world;
  const parsed = scheduleForm.parse({ template_id: web.templateId, ...form });
  return createSchedule(
    await openProject({ deps, actor: people.alice.actor }, web.id, "manage_triggers"),
    parsed,
  );
}

Deno.test("real clock: a minute missed over a restart is reported, and the next one is on time", async () => {
  await using world = await newWorld({ deps: realClock });
  const before = startReal(world);
  const { id } = await create(world, { cron_format: "* * * * *", name: "minutely", active: true });
  await before.stop();
  await sleep(60_000 - Date.now() % 60_000 + 2_000); // no scheduler runs when the minute begins
  const after = startReal(world);
  try {
    await until(async () => (await tasksOf(world)).length > 0, 90_000);
  } finally {
    await after.stop();
  }
  const [task, ...others] = await tasksOf(world);
  assert.deepEqual(others, []);
  const late = Date.parse(task.created) % 60_000;
  // With one look per minute, half of the starts would be later than this.
  assert.ok(late < 20_000, `started ${late} ms after the minute began`);
  const { deps, people, web } = world;
  const { events } = await listEvents(
    await openProject({ deps, actor: people.alice.actor }, web.id),
  );
  const missed = events.filter(({ description }) =>
    typeof description !== "string" && description.key === "events.schedule.missed" &&
    description.params?.count === 1
  );
  assert.equal(missed.length, 1);
  assert.equal(
    (await getSchedule(await openProject({ deps, actor: people.alice.actor }, web.id), id))
      .last_task_id,
    task.id,
  );
});

Deno.test("real git: only a commit on exactly the branch starts a task", async () => {
  await using world = await newWorld();
  const { deps, people, web, kv } = world;
  const alice = people.alice.actor;
  const folder = join(world.folder, "origin");
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=Alice", "-c", "user.email=alice@example.com"];
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: ["-C", folder, ...identity, ...args],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  };
  await Deno.mkdir(folder);
  await git("init", "--quiet", "--initial-branch=main");
  await git("commit", "--quiet", "--allow-empty", "--message=one");
  await transact(kv, async (op) => {
    await repositoryRows.update(kv, op, web.id, web.repositoryId, (row) => ({
      ...row,
      git_url: `file://${folder}`,
    }));
  });
  const environment = runEnvironment(deps.config, noIsolation, Deno.env);
  const run = async () => {
    const { id } = await create(world, {
      type: "run_at",
      run_at: new Date(world.clock.now().getTime() + 60_000).toISOString(),
      repository_id: web.repositoryId,
    });
    const [at] =
      (await getSchedule(await openProject({ deps, actor: alice }, web.id), id)).next_runs;
    await schedule(world, at, (...call) => remoteCommit(environment, ...call));
    return await getSchedule(await openProject({ deps, actor: alice }, web.id), id);
  };
  await run();
  const [first, ...others] = await tasksOf(world);
  assert.deepEqual(others, []);
  assert.equal(first.commit_hash, await git("rev-parse", "main"));

  await git("checkout", "--quiet", "-b", "feature/main");
  await git("commit", "--quiet", "--allow-empty", "--message=elsewhere");
  await run();
  assert.equal((await tasksOf(world)).length, 2);
  assert.equal((await tasksOf(world))[0].commit_hash, await git("rev-parse", "main"));

  await git("branch", "--quiet", "--delete", "--force", "main");
  assert.notEqual((await run()).last_error, null);
  assert.equal((await tasksOf(world)).length, 2);
});
