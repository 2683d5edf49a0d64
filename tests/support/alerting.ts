import assert from "node:assert/strict";
import { dueAlerts } from "@/lib/alerts/deliver.ts";
import { type AlertRow, queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { openProject } from "@/lib/access/scope.ts";
import { handleDue } from "@/lib/store/due.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import type { Status } from "@/lib/model/status.ts";
import type { World } from "./world.ts";

export interface Call {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests say what they expect in it
  body: any;
}

/** Starts a receiver on loopback that records requests and answers as the test wants. */
export function startReceiver(respond: (call: Call) => Response | Promise<Response> = () => ok()) {
  const calls: Call[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (req) => {
    const body = JSON.parse(await req.text());
    const call = { path: new URL(req.url).pathname, headers: req.headers, body };
    calls.push(call);
    return await respond(call);
  });
  return {
    calls,
    titles: () => calls.map(({ body }) => body.title as string),
    url: `http://127.0.0.1:${server.addr.port}/secret-path`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

export const ok = () => Response.json({ ok: true });

export const targets = (world: World) => `/api/project/${world.web.id}/alert_targets`;
export const rules = (world: World) => `/api/project/${world.web.id}/alert_rules`;

export async function newTarget(world: World, url: string, more: object = {}): Promise<number> {
  const body = { name: "Ops", kind: "http", allow_private: true, settings: { url }, ...more };
  const { status, body: made } = await world.api("erin", "POST", targets(world), body);
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

export async function newRule(world: World, target_id: number, more: object = {}): Promise<number> {
  const body = { name: "All", target_id, events: ["failed", "recovered"], ...more };
  const { status, body: made } = await world.api("alice", "POST", rules(world), body);
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

/** Starts a task of Bob's, and queues the alert of a status. */
export async function runTask(world: World, status: Status, change: Partial<TaskRow> = {}) {
  const scope = await openProject(
    { deps: world.deps, actor: world.people.bob.actor },
    world.web.id,
    "run_tasks",
  );
  const { id } = await startTask(scope, parseStart({ template_id: world.deploy.id }));
  const { value } = await world.kv.get<TaskRow>(rowKeys.task(world.web.id, id));
  const task = { ...value!, status, ...change };
  await world.kv.set(rowKeys.task(world.web.id, id), task);
  await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
  return task;
}

export const send = (world: World) => handleDue(world.deps, dueAlerts(world.deps));
export const outbox = (world: World) =>
  Array.fromAsync(world.kv.list<AlertRow>({ prefix: rowKeys.alertsDue() }));
export const deliveries = async (world: World, id: number) =>
  (await world.api("alice", "GET", `${targets(world)}/${id}/deliveries`)).body;
