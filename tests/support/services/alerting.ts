import assert from "node:assert/strict";
import {
  type AlertDeps,
  alertWorker,
  digestWorker,
  messageWorker,
  runnerCallWorker,
} from "@/lib/alerts/deliver.ts";
import { queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import type { JobRow } from "@/lib/jobs/rows.ts";
import { openProject } from "@/lib/access/scope.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import type { Status } from "@/lib/model/status.ts";
import type { World } from "@/tests/support/world/world.ts";

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

/** In the order in which an alert passes them. */
const WORKERS = [digestWorker, alertWorker, messageWorker, runnerCallWorker];

/**
 * Sends all that is due, as the only server unless `shared` is set. Resolves to the milliseconds
 * until more is due; null if none is left.
 */
export async function sendAlerts(deps: AlertDeps, shared = false): Promise<number | null> {
  for (const worker of WORKERS) await doDue(deps, worker, { shared });
  const left = await outbox(deps);
  return left.length === 0
    ? null
    : Math.min(...left.map(({ at }) => at)) - deps.clock.now().getTime();
}
export const alertWorkers = WORKERS;
export const send = (world: World) => sendAlerts(world.deps);

/** An alert or a message that is not sent yet, with the time at which it is due. */
// deno-lint-ignore no-explicit-any -- tests say what they expect in it
export type Waiting = { job: string; at: number } & Record<string, any>;

/** Returns the alerts and messages that are not sent yet, the oldest of each kind first. */
export async function outbox({ kv }: { kv: Store }): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const { kind: { name } } of WORKERS) {
    const first = found.length;
    const rows = kv.list<JobRow<Record<string, unknown>>>({ prefix: rowKeys.jobsOfKind(name) });
    for await (const { value: { input, at } } of rows) found.push({ ...input, job: name, at });
    found.push(...found.splice(first).toSorted((a, b) => a.at - b.at));
  }
  return found;
}
export const deliveries = async (world: World, id: number) =>
  (await world.api("alice", "GET", `${targets(world)}/${id}/deliveries`)).body;
