import { openProject } from "../access/scope.ts";
import assert from "node:assert/strict";
import { taskEvents } from "./follow_task.ts";
import { createLogWriter } from "../output/writer.ts";
import { getTaskRow } from "../model/tasks.ts";
import { advance } from "./steps.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("people who leave the project receive no further lines or states", async () => {
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
    for await (const event of events) heard.push(JSON.stringify(event));
  })();
  await until(() => heard.some((text) => text.includes("waiting")));
  await world.api("alice", "DELETE", `/api/project/${web.id}/users/${people.carol.id}`);
  const task = await getTaskRow(world.kv, web.id, body.id);
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
