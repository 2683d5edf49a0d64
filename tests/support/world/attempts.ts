import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { attemptWorker } from "@/lib/queue/again/attempts.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { createResultWriter } from "@/lib/results/writer.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import type { Person } from "./cast.ts";
import { templateForm } from "./forms.ts";
import { EPOCH, play, result, task } from "./reported_task.ts";
import type { World } from "./world.ts";

type Body = Record<string, unknown>;
/** Ends of hosts, in order. */
export type HostEnds = Record<string, "ok" | "failed" | "unreachable">;

/** Creates a template whose failed tasks are repeated after five minutes, three times at most. */
export async function repeatingTemplate(world: World, fields: Body = {}): Promise<number> {
  const form = templateForm(world, { retry_attempts: 3, retry_minutes: 5, ...fields });
  const path = `/api/project/${world.web.id}/templates`;
  const { status, body } = await world.api("alice", "POST", path, form);
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** Starts a task of a template, and returns its id. */
export async function startOf(world: World, template_id: number, more: Body = {}, by?: Person) {
  const path = `/api/project/${world.web.id}/tasks`;
  const { status, body } = await world.api(by ?? "bob", "POST", path, { template_id, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id as number;
}

interface RunOptions {
  how?: "success" | "error" | "interrupted";
  /** Whether Ansible reaches the end of its plays. */
  isComplete?: boolean;
  /** The server that runs the task. */
  deps?: Deps;
}

/** Runs a task that waits until its end, as its hosts say. */
export async function run(
  world: World,
  id: number,
  hosts: HostEnds,
  { how, isComplete = Object.keys(hosts).length > 0, deps = world.deps }: RunOptions = {},
): Promise<TaskRow> {
  const started = { id, project_id: world.web.id };
  await advance(world.kv, started, "starting");
  const running = await advance(world.kv, started, "running");
  const target = { ...world.deps, projectId: started.project_id, taskId: id };
  const output = createLogWriter(target);
  const results = createResultWriter({ ...target, output });
  const names = Object.keys(hosts);
  const end: RunEvent = { type: "end", at: EPOCH, lost: 0 };
  const events = [
    play("Web"),
    task("a"),
    ...names.map((host) => result("a", host, { status: hosts[host] })),
    ...isComplete ? [end] : [],
  ];
  if (names.length > 0) { for (const event of events) await results.take(event); }
  await results.flush();
  await output.flush();
  const isGood = Object.values(hosts).every((status) => status === "ok");
  return await endTask(deps, running, { how: how ?? (isGood ? "success" : "error"), log: output });
}

/** Lets time pass, and starts the attempts that are due by then. */
export async function pass(world: World, minutes: number, deps: Deps = world.deps) {
  world.clock.advance(minutes * 60_000);
  await doDue(deps, attemptWorker);
}

/** Returns the tasks of the project, the oldest first. */
export const tasksOf = async ({ kv, web }: World): Promise<TaskRow[]> =>
  (await listTaskRows(kv, web.id, { limit: 1000 })).reverse();

/** Returns the latest task of the project. */
export async function latestOf(world: World): Promise<TaskRow> {
  return (await tasksOf(world)).at(-1)!;
}

export const rowOf = ({ kv, web }: World, id: number): Promise<TaskRow> =>
  getTaskRow(kv, web.id, id);
