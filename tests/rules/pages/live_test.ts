import assert from "node:assert/strict";
import { serveSocket } from "@/lib/live/socket.ts";
import { createLogWriter, openLog } from "@/lib/output/writer.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { until } from "@/tests/support/basics/until.ts";

interface Message {
  type: string;
  task_id: number;
  status?: string;
  output?: string;
}

/**
 * Opens a real socket between two ends of this process. `received` has the messages that arrived.
 */
async function openSocket(world: World, person: Person) {
  const received: Message[] = [];
  const server = Deno.serve({ port: 0, onListen() {} }, (req) => {
    const { socket, response } = Deno.upgradeWebSocket(req);
    let end = () => {};
    socket.onopen = () =>
      end = serveSocket({ deps: world.deps, actor: world.people[person].actor }, socket);
    socket.onclose = () => end();
    return response;
  });
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}`);
  const closed = new Promise<number>((resolve) => socket.onclose = ({ code }) => resolve(code));
  socket.onmessage = ({ data }) => received.push(JSON.parse(data));
  await new Promise((resolve) => socket.onopen = resolve);
  return {
    received,
    closed,
    until: (wanted: (messages: Message[]) => boolean) => until(() => wanted(received)),
    async [Symbol.asyncDispose]() {
      socket.close();
      await closed;
      await server.shutdown();
    },
  };
}

async function startTask(world: World): Promise<{ id: number; project_id: number }> {
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });
  return { id: body.id, project_id: world.web.id };
}

async function say(world: World, task: { id: number; project_id: number }, line: string) {
  const { kv, hub, clock } = world.deps;
  const writer = await openLog({ kv, hub, clock, projectId: task.project_id, taskId: task.id });
  writer.write(line);
  await writer.flush();
}

Deno.test("a member hears of every task of the project, an outsider of none", async () => {
  await using world = await newWorld();
  await using carol = await openSocket(world, "carol");
  await using dave = await openSocket(world, "dave");
  const task = await startTask(world);
  await say(world, task, "hello");
  await carol.until((messages) => messages.some(({ type }) => type === "log"));
  assert.deepEqual(
    carol.received.map(({ type, task_id, status, output }) => [type, task_id, status ?? output]),
    [["update", task.id, "waiting"], ["log", task.id, "hello"]],
  );
  assert.deepEqual(dave.received, []);
});

Deno.test("a member who is removed hears nothing more, while their session lives on", async () => {
  await using world = await newWorld();
  await using carol = await openSocket(world, "carol");
  const task = await startTask(world);
  await carol.until((messages) => messages.length === 1);
  const path = `/api/project/${world.web.id}/users/${world.people.carol.id}`;
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
  await say(world, task, "secret of the team");
  await using alice = await openSocket(world, "alice");
  await say(world, task, "for Alice");
  await alice.until((messages) => messages.length === 1);
  assert.equal(carol.received.length, 1);
});

/** Creates a socket whose reader does not read. */
function newStalledSocket() {
  const told = { sent: 0, code: 0, reason: "" };
  const socket = {
    readyState: WebSocket.OPEN as number,
    bufferedAmount: 0,
    send(text: string) {
      told.sent++;
      socket.bufferedAmount += text.length;
    },
    close(code: number, reason: string) {
      socket.readyState = WebSocket.CLOSED;
      Object.assign(told, { code, reason });
    },
  };
  return { told, socket: socket as unknown as WebSocket };
}

const LINE = "x".repeat(1_000);

Deno.test("a reader who does not keep up is let go after some megabytes, and learns where to read on", async () => {
  await using world = await newWorld();
  const { told, socket } = newStalledSocket();
  const end = serveSocket({ deps: world.deps, actor: world.people.carol.actor }, socket);
  for (let id = 1; id <= 20_000 && told.code === 0; id++) {
    const records = [{ id, time: "2024-05-02T10:11:12.000Z", output: LINE }];
    world.deps.hub.publish({ type: "log", project_id: world.web.id, task_id: 7, records });
    if (id % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  assert.equal(told.code, 1013);
  assert.equal(told.reason, `too slow: read on at task 7, after line ${told.sent}`);
  assert.ok(told.sent * LINE.length < 10 * 2 ** 20);
  end();
});

Deno.test("while the store does not say who may read, no more than some megabytes wait", async () => {
  await using world = await newWorld();
  const { told, socket } = newStalledSocket();
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const { getMany } = world.kv;
  const { get } = world.kv;
  world.kv.get = async (...args) => (await back, await get.apply(world.kv, args)) as never;
  world.kv.getMany = async (...args) => (await back, await getMany.apply(world.kv, args)) as never;
  const end = serveSocket({ deps: world.deps, actor: world.people.carol.actor }, socket);
  let published = 0;
  while (told.code === 0 && published < 100_000) {
    const records = [{ id: ++published, time: "2024-05-02T10:11:12.000Z", output: LINE }];
    world.deps.hub.publish({ type: "log", project_id: world.web.id, task_id: 7, records });
  }
  assert.ok(published * LINE.length < 10 * 2 ** 20);
  assert.deepEqual([told.code, told.sent], [1013, 0]);
  assert.equal(told.reason, "too slow: read on at task 7, after line 0");
  resolve();
  end();
});

Deno.test("signing out, and a changed password, close the socket", async () => {
  await using world = await newWorld();
  await using bob = await openSocket(world, "bob");
  assert.equal((await world.api("bob", "POST", "/api/auth/logout")).status, 204);
  assert.equal(await bob.closed, 4401);
});

Deno.test("the event stream resumes after the last line that was seen, and reports the end", async () => {
  await using world = await newWorld();
  const task = await startTask(world);
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  const { kv, hub, clock } = world.deps;
  const writer = createLogWriter({ kv, hub, clock, projectId: task.project_id, taskId: task.id });
  for (let n = 1; n <= 5; n++) writer.write(`line ${n}`);
  await writer.flush();
  const path = `/api/project/${task.project_id}/tasks/${task.id}/events`;
  const response = await world.get("carol", path, { "Last-Event-ID": "3" });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  await advance(kv, task, "success", {}, { also: (op) => writer.close(op) });
  const events = await response.text();
  assert.doesNotMatch(events, /line 3/);
  assert.match(events, /event: log\nid: 5\ndata: .*line 4.*line 5/);
  assert.match(events, /event: end\ndata: \{"status":"success"\}/);
});
