import assert from "node:assert/strict";
import { doDue } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { attemptWorker } from "@/lib/queue/again/attempts.ts";
import { attemptJobs } from "@/lib/queue/outboxes/attempt_outbox.ts";
import { cancelAttempt } from "@/lib/queue/ending/attempts_end.ts";
import { readSecretAnswers } from "@/lib/tasks/answer_store.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import {
  type HostEnds,
  latestOf,
  pass,
  repeatingTemplate,
  rowOf,
  run,
  startOf,
  tasksOf,
} from "@/tests/support/world/attempts.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SOME: HostEnds = { web1: "ok", web2: "failed" };
const TOKEN = { name: "token", title: "Token", type: "secret", required: true };
const secret = JSON.stringify({ token: "never-to-be-shown" });

const dueOf = ({ kv }: World) =>
  Array.fromAsync(kv.list({ prefix: rowKeys.jobsOfKind(attemptJobs.name) }), ({ value }) => value);

/** Returns the tasks that repeat a task. */
const attemptsAfter = async (world: World, id: number): Promise<TaskRow[]> =>
  (await tasksOf(world)).filter(({ retry_of }) => retry_of?.task_id === id);

Deno.test("a server that dies at the end of a task plans one attempt, and no second one", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  let last = false;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      const id = await startOf(world, template, { limit: `${nth}${when}` });
      const dying = dieAt(world.deps, nth, when);
      await run(world, id, SOME, { deps: dying.deps }).catch(() => {});
      last = !dying.died();
      // The task either has its end with all that follows, or still runs.
      const { status, attempt } = await rowOf(world, id);
      assert.equal(status === "error", attempt?.next_at !== undefined, `commit ${nth}, ${when}`);
      assert.equal((await dueOf(world)).length, status === "error" ? 1 : 0);
      await pass(world, 5);
      assert.equal((await attemptsAfter(world, id)).length, status === "error" ? 1 : 0);
      const next = await latestOf(world);
      if (next.id !== id) await run(world, next.id, { web2: "ok" });
    }
    assert.ok(nth < 20);
  }
});

Deno.test("a server that dies at the due time starts one attempt, with its secrets", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { survey_vars: [TOKEN] });
  let last = false;
  let deaths = 0;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      const id = await startOf(world, template, { secret, limit: `${nth}${when}` });
      await run(world, id, SOME);
      const dying = dieAt(world.deps, nth, when);
      await pass(world, 5, dying.deps).catch(() => {});
      last = !dying.died();
      if (!last) deaths++;
      await pass(world, 5);
      const label = `commit ${nth}, ${when}`;
      const [next, ...more] = await attemptsAfter(world, id);
      assert.deepEqual([more.length, next?.attempt?.n], [0, 2], label);
      assert.deepEqual(await dueOf(world), [], label);
      assert.equal((await readSecretAnswers(world.kv, id)).length, 0, label);
      assert.ok((await readSecretAnswers(world.kv, next.id)).length > 0, label);
      await run(world, next.id, { web2: "ok" });
    }
    assert.ok(nth < 20);
  }
  assert.ok(deaths >= 2, "the servers died too early");
});

Deno.test("one of four servers that share the store starts an attempt", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".kv" });
  try {
    await using world = await newWorld({ kvPath });
    const template = await repeatingTemplate(world);
    const stores = await Promise.all([1, 2, 3].map(() => openStore(kvPath)));
    const servers = [world.deps, ...stores.map((kv) => ({ ...world.deps, kv }))];
    for (let turn = 0; turn < 8; turn++) {
      const ids = [
        await startOf(world, template, { limit: `a${turn}` }),
        await startOf(world, template, { limit: `b${turn}` }),
      ];
      for (const id of ids) await run(world, id, SOME);
      world.clock.advance(300_000);
      await Promise.all(servers.map((deps) => doDue(deps, attemptWorker, { shared: true })));
      for (const id of ids) {
        const attempts = await attemptsAfter(world, id);
        assert.equal(attempts.length, 1);
        await run(world, attempts[0].id, { web2: "ok" });
      }
    }
    for (const kv of stores) kv.close();
  } finally {
    await Deno.remove(kvPath);
  }
});

Deno.test("an attempt is started or cancelled, and never both", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const { deps, people: { bob } } = world;
  for (let turn = 0; turn < 20; turn++) {
    const id = await startOf(world, template, { limit: `web${turn}` });
    const failed = await run(world, id, SOME);
    world.clock.advance(300_000);
    await Promise.all([
      doDue(deps, attemptWorker),
      cancelAttempt(deps, bob.actor, failed),
    ]);
    const attempts = await attemptsAfter(world, id);
    const { attempt } = await rowOf(world, id);
    assert.equal(attempt?.next_at, undefined);
    assert.equal(attempts.length, attempt?.ended ? 0 : 1);
    assert.deepEqual(await dueOf(world), []);
    for (const next of attempts) await run(world, next.id, { web2: "ok" });
  }
});

Deno.test("two people who retry a task at its due time replace the attempt once, or not at all", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world, { allow_parallel_tasks: true });
  for (let turn = 0; turn < 20; turn++) {
    const id = await startOf(world, template, { limit: `web${turn}` });
    await run(world, id, SOME);
    world.clock.advance(300_000);
    const path = `/api/project/${world.web.id}/tasks/${id}/retry`;
    const [bob, mike] = await Promise.all([
      world.api("bob", "POST", path, {}),
      world.api("mike", "POST", path, {}),
      doDue(world.deps, attemptWorker),
    ]);
    assert.deepEqual([bob.status, mike.status], [201, 201], JSON.stringify([bob.body, mike.body]));
    const others = (await attemptsAfter(world, id))
      .filter((task) => ![bob.body.id, mike.body.id].includes(task.id));
    const { attempt } = await rowOf(world, id);
    assert.equal(attempt?.next_at, undefined);
    assert.equal(others.length, attempt?.ended ? 0 : 1);
    assert.deepEqual(await dueOf(world), []);
    for (const task of await attemptsAfter(world, id)) await run(world, task.id, { web2: "ok" });
  }
});
