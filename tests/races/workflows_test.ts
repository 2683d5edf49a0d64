import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import {
  dice,
  type Outcome,
  OUTCOMES,
  randomSteps,
  reference,
} from "@/tests/support/world/workflow_graphs.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

type Dice = ReturnType<typeof dice>;

/** `GRAPHS=300` tries more of them. */
const GRAPHS = Number(Deno.env.get("GRAPHS") ?? 12);

/** Lets servers handle what is due, until nothing is left or all of them are dead. */
type Handle = (stage: WorkflowStage) => Promise<void>;

const endingOf = ({ state, changed }: Outcome) =>
  state === "success" ? changed ? "changed" : "success" : state === "failed" ? "error" : state;

/** Makes a workflow of random steps, whose tasks all have one template. */
async function makeRandom(stage: WorkflowStage, random: Dice, count: number) {
  const template_id = await stage.template({ allow_parallel_tasks: true });
  const sent = randomSteps(random, count).map(({ id, name, after, join }) => ({
    id: -id,
    name,
    kind: "template",
    template_id,
    join,
    after: after && after.map(({ step, when }) => ({ step: -step, when })),
  }));
  const id = await stage.workflow(sent);
  return { id, steps: (await stage.call("GET", `/workflows/${id}`)).steps };
}

/** Runs a workflow to its end, ending one random task after the other, and checks every step. */
async function checkRun(stage: WorkflowStage, random: Dice, handle: Handle, count = 30) {
  const { world } = stage;
  const { id, steps } = await makeRandom(stage, random, count);
  const outcomes = new Map<number, Outcome>(
    steps.map((step: { id: number }) => [step.id, random.one(OUTCOMES)]),
  );
  const { id: run } = await stage.call("POST", `/workflows/${id}/run`, {});
  for (let turn = 0;; turn++) {
    assert.ok(turn < 20 * count, "the run does not end");
    await handle(stage);
    world.clock.advance(60_000);
    const open = await stage.openTasks();
    if (open.length > 0) {
      const task = random.one(open);
      await stage.end(task, endingOf(outcomes.get(task.workflow!.step_id)!));
    } else if ((await stage.run(id, run)).end !== null) break;
  }
  await stage.goOn();
  const ended = await stage.run(id, run);
  const tasks = await tasksOf(stage, run);
  const createdOf = new Map(tasks.map(({ workflow, created }) => [workflow!.step_id, created]));
  const endOf = new Map(ended.steps.map(({ id, end }) => [id, end!]));
  // One task ends between two turns, and steps start during one.
  const expected = reference(
    steps,
    outcomes,
    (ended, started) => endOf.get(ended)! <= createdOf.get(started)!,
  );
  assert.equal(ended.status, expected.result);
  for (const step of ended.steps) {
    const state = step.changed ? "changed" : step.state;
    assert.equal(state, expected.ends.get(step.id), `${step.name}: ${step.reason}`);
    assert.equal(step.task_id === null, state === "skipped");
    if (state === "skipped") assert.match(String(step.reason), /^Step \d+ /);
  }
  const started = tasks.map(({ workflow }) => workflow!.step_id).toSorted((a, b) => a - b);
  const wanted = ended.steps.filter(({ state }) => state !== "skipped").map(({ id }) => id);
  assert.deepEqual(started, wanted.toSorted((a, b) => a - b), "a step started twice, or never");
  assert.deepEqual(await stage.outbox(), []);
}

async function tasksOf({ world }: WorkflowStage, run: number): Promise<TaskRow[]> {
  const rows = await listTaskRows(world.kv, world.web.id, { limit: 1000 });
  return rows.filter(({ workflow }) => workflow?.run_id === run);
}

Deno.test("servers that die at any commit start each step once, or skip it for the right reason", async () => {
  await using stage = await newWorkflowStage();
  let deaths = 0;
  for (let seed = 1; seed <= GRAPHS; seed++) {
    const random = dice(seed);
    await checkRun(stage, random, async ({ world }) => {
      const dying = dieAt(world.deps, 1 + random.below(4), random.one(["before", "after"]));
      await stage.goOn(dying.deps).catch(() => {});
      if (dying.died()) deaths++;
    });
  }
  assert.ok(deaths > 15 * GRAPHS, `only ${deaths} servers died in ${GRAPHS} graphs`);
});

Deno.test("a server that dies at each of its commits in turn loses and doubles no step", async () => {
  await using stage = await newWorkflowStage();
  let last = false;
  for (let nth = 1; !last; nth++) {
    assert.ok(nth < 60);
    for (const when of ["before", "after"] as const) {
      let died = false;
      await checkRun(stage, dice(7), async ({ world, goOn }) => {
        if (died) return await goOn();
        const dying = dieAt(world.deps, nth, when);
        await goOn(dying.deps).catch(() => {});
        died ||= dying.died();
      }, 6);
      last = !died;
    }
  }
});

Deno.test("servers that share a store start each step once", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".kv" });
  try {
    await using stage = await newWorkflowStage({ kvPath });
    const stores = await Promise.all([1, 2].map(() => openStore(kvPath)));
    const servers: Deps[] = [
      stage.world.deps,
      ...stores.map((kv) => ({ ...stage.world.deps, kv })),
    ];
    for (let seed = 1; seed <= GRAPHS / 2; seed++) {
      const random = dice(seed);
      await checkRun(stage, random, async ({ goOn }) => {
        await Promise.all(servers.map((server) => goOn(server, true)));
      });
    }
    for (const kv of stores) kv.close();
  } finally {
    await Deno.remove(kvPath);
  }
});

Deno.test("two people who approve in parallel are both counted, and one person once", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  for (let round = 0; round < 10; round++) {
    const id = await stage.workflow([{ kind: "approval", approval: { needed: 3 } }]);
    const run = await stage.start(id);
    const path = `/api/project/${world.web.id}/workflows/${id}/runs/${run}/approvals/1`;
    const people = ["alice", "alice", "mike", "alice", "bob", "mike"] as const;
    const answers = await Promise.all(
      people.map((person) => world.api(person, "POST", path, { status: "approved" })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 200, 200, 409, 409, 409]);
    await stage.goOn();
    const { status, steps } = await stage.run(id, run);
    assert.equal(status, "success");
    assert.equal(steps[0].approval?.approved, 3);
    const names = steps[0].approval!.votes.map(({ username }) => username).toSorted();
    assert.deepEqual(names, ["alice", "bob", "mike"]);
  }
});
