import { openProject } from "../access/scope.ts";
import assert from "node:assert/strict";
import { keepAlive, taskEvents } from "./stream.ts";
import { createLogWriter } from "../output/writer.ts";
import { getTask } from "./repository.ts";
import { advance } from "./steps.ts";
import { until } from "@/tests/support/until.ts";
import { newWorld } from "@/tests/support/world.ts";

Deno.test("a quiet stream says now and then that it is still there, and loses nothing", async () => {
  const heardTwice = Promise.withResolvers<void>();
  async function* texts() {
    yield "first";
    await heardTwice.promise;
    yield "second";
  }
  const heard: string[] = [];
  for await (const text of keepAlive(texts(), ".", 20)) {
    heard.push(text);
    if (heard.filter((one) => one === ".").length === 2) heardTwice.resolve();
  }
  assert.deepEqual(heard.filter((text) => text !== "."), ["first", "second"]);
  assert.equal(heard.at(-1), "second");
});

Deno.test("a stream that nobody reads any more ends what feeds it", async () => {
  let ended = false;
  async function* texts() {
    try {
      while (true) yield "line";
    } finally {
      ended = true;
    }
  }
  const stream = keepAlive(texts(), ".");
  await stream.next();
  await stream.return(undefined);
  assert.ok(ended);
});

Deno.test("who leaves the project hears neither lines nor states any more", async () => {
  await using world = await newWorld();
  const { deps, web, people } = world;
  const { body } = await world.api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  const { signal } = new AbortController();
  const events = taskEvents(
    await openProject({ deps, actor: people.carol.actor }, web.id),
    body.id,
    0,
    (task) => task,
    signal,
  );
  const heard: string[] = [];
  const reading = (async () => {
    for await (const text of events) heard.push(text);
  })();
  await until(() => heard.some((text) => text.includes("waiting")));
  await world.api("alice", "DELETE", `/api/project/${web.id}/users/${people.carol.id}`);
  const task = await getTask(world.kv, web.id, body.id);
  const started = await advance(deps.kv, task, "starting");
  const writer = createLogWriter({ ...deps, projectId: web.id, taskId: task.id });
  writer.write("a line that Carol must not see");
  await writer.flush();
  await advance(deps.kv, started, "error", { end: deps.clock.now().toISOString() }, {
    also: (op) => writer.close(op),
  });
  await reading;
  assert.doesNotMatch(heard.join(""), /starting|error|Carol/);
});
