import assert from "node:assert/strict";
import { advance } from "@/lib/tasks/steps.ts";
import { textOf } from "@/tests/support/basics/html.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function start(world: World): Promise<number> {
  const path = `/api/project/${world.web.id}/tasks`;
  const { status, body } = await world.api("bob", "POST", path, {
    template_id: world.deploy.id,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

const run = (world: World, id: number) =>
  advance(world.kv, { id, project_id: world.web.id }, "starting", {
    start: world.clock.now().toISOString(),
  });

const pageOf = ({ web }: World, id: number) => `/project/${web.id}/tasks/${id}`;

/**
 * Returns the element with the reason why a task waits. The page of a browser without scripts goes
 * on until the task ends, so the rest is not read.
 */
async function waitOf({ body, status, headers }: Response): Promise<string> {
  assert.equal(status, 200, headers.get("Location") ?? "");
  let html = "";
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    html += part;
    const [wait] = /<div id="task-wait".*?<\/div>/s.exec(html) ?? [];
    if (wait) return wait;
  }
  throw new Error(html);
}

/** Cookies of browsers that run no scripts, and of those that do. */
const BROWSERS = ["", "; zone=UTC"];

Deno.test("a task's page says why it waits, with a script and without", async () => {
  await using world = await newWorld();
  const first = await start(world);
  await run(world, first);
  const second = await start(world);
  for (const path of [pageOf(world, second), `${pageOf(world, second)}/hosts`]) {
    for (const cookie of BROWSERS) {
      const headers = { Cookie: `callboard=${world.people.carol.token}${cookie}` };
      const wait = await waitOf(await world.request(path, { headers }));
      assert.equal(textOf(wait), `One task at a time: waiting for #${first}`, path);
      assert.match(wait, new RegExp(`data-live="${pageOf(world, second)}/wait"`));
    }
  }
  const running = await waitOf(await world.get("carol", pageOf(world, first)));
  assert.match(running, /^<div id="task-wait" ?><\/div>$/);
});

Deno.test("the API says why a task waits", async () => {
  await using world = await newWorld();
  const first = await start(world);
  await run(world, first);
  const second = await start(world);
  const wait = async (id: number) =>
    (await world.api("carol", "GET", `/api${pageOf(world, id)}/wait`)).body;
  assert.deepEqual(await wait(second), {
    waits: true,
    by: "template",
    reason: `One task at a time: waiting for #${first}`,
  });
  assert.deepEqual(await wait(first), { waits: false, by: null, reason: "" });
});

Deno.test("the reason is sent again after a change, and the stream ends with the wait", async () => {
  await using world = await newWorld();
  const first = await start(world);
  await run(world, first);
  const second = await start(world);
  const { body } = await world.get("carol", `${pageOf(world, second)}/wait`, {
    "Accept-Encoding": "identity",
  });
  const stream = readStream(body!);
  await stream.until(/waiting for/);
  await advance(world.kv, { id: first, project_id: world.web.id }, "running");
  await advance(world.kv, { id: first, project_id: world.web.id }, "success");
  await stream.until(/Starts now/);
  await run(world, second);
  await stream.until(/<div id="task-wait" ?><\/div>/);
  await stream.end();
});

Deno.test("a task that needs a label waits for a runner, which its page and the dashboard say", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body: template } = await world.api("alice", "GET", path);
  await world.api("alice", "PUT", path, { ...template, runner_tag: "dmz" });
  const id = await start(world);
  const sentence = "No runner is registered for this project";
  assert.deepEqual((await world.api("carol", "GET", `/api${pageOf(world, id)}/wait`)).body, {
    waits: true,
    by: "runner",
    reason: sentence,
  });
  assert.equal(textOf(await waitOf(await world.get("carol", pageOf(world, id)))), sentence);
  const dashboard = await world.get("carol", `/project/${world.web.id}/history`);
  assert.ok((await dashboard.text()).includes(sentence));
});
