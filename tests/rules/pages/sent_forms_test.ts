import assert from "node:assert/strict";
import type { Person } from "@/tests/support/world/cast.ts";
import { fieldOf } from "@/tests/support/basics/html.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Returns the member of a page's form that differs each time the form is shown. */
async function onceIn(world: World, page: string): Promise<string> {
  const field = fieldOf(await (await world.get("bob", page)).text(), "once");
  return /value="([^"]+)"/.exec(field)![1];
}

/** Sends a form. Returns where it leads to. */
async function send(
  world: World,
  page: string,
  values: Record<string, string>,
  person: Person = "bob",
): Promise<string> {
  const sent = await world.post(person, page, values);
  assert.equal(sent.status, 303);
  return sent.headers.get("location")!;
}

/** Sends a form three times at the same time, and later. */
async function sendOften(world: World, page: string) {
  const once = await onceIn(world, page);
  const message = "Friday";
  const sent = { once, message };
  const all = await Promise.all([1, 2, 3].map(() => send(world, page, sent)));
  assert.equal(new Set(all).size, 1, "three clicks make one");
  assert.equal(await send(world, page, sent), all[0]);
  const others = [
    await send(world, page, { ...sent, message: "Monday" }),
    await send(world, page, sent, "mike"),
    await send(world, page, { message, once: await onceIn(world, page) }),
  ];
  world.clock.advance(60_000);
  others.push(await send(world, page, sent));
  assert.equal(new Set([...all, ...others]).size, 5, "other values, people, pages and times");
}

Deno.test("a form that is sent twice starts a task once", async () => {
  await using world = await newWorld();
  await sendOften(world, `/project/${world.web.id}/templates/${world.web.templateId}/tasks`);
});

Deno.test("a form that is sent twice repeats a task once, as does its button", async () => {
  await using world = await newWorld();
  const { id, report, end } = await reportedTask(world);
  await report(play("Web"), task("a"), result("a", "web1", { status: "failed" }));
  await end("error");
  const page = `/project/${world.web.id}/tasks/${id}`;
  const clicks = { once: await onceIn(world, page) };
  const [first, second] = await Promise.all([1, 2].map(() => send(world, `${page}/retry`, clicks)));
  assert.equal(first, second);
  // The page shows the retry now, so a click on its button repeats the task again.
  const again = { once: await onceIn(world, page) };
  assert.notEqual(await send(world, `${page}/retry`, again), first);
  await sendOften(world, `${page}/retry`);
});

Deno.test("a form that is sent twice starts a workflow once, and repeats its run once", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const workflow = await stage.workflow([{ kind: "approval" }]);
  const page = `/project/${world.web.id}/workflows/${workflow}`;
  await sendOften(world, `${page}/run`);
  const run = await stage.start(workflow);
  await stage.call("POST", `/workflows/${workflow}/runs/${run}/stop`);
  await stage.goOn();
  await sendOften(world, `${page}/runs/${run}/again`);
});
