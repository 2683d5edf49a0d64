import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import type { Sentence } from "@/lib/base/errors.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { emptyHead } from "@/lib/output/store.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import type { ResultHead } from "@/lib/results/rows.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { isFinished } from "@/lib/model/status.ts";
import { advance } from "@/lib/tasks/steps.ts";
import type { WholeRunView } from "@/lib/workflows/run_schema.ts";
import { runJobs } from "@/lib/queue/outboxes/workflow_outbox.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import type { Person } from "./cast.ts";
import { type ApiAnswer, newWorld, type World, type WorldOptions } from "./world.ts";

/** How a test ends a task. */
type Ending = "success" | "changed" | "error" | "stopped";

/** A world with workflows whose tasks end as the test says. */
export interface WorkflowStage extends AsyncDisposable {
  world: World;
  /** Creates a template and returns its id. */
  template(fields?: Record<string, unknown>): Promise<number>;
  /** Creates a workflow and returns its id. */
  workflow(steps: unknown[], fields?: Record<string, unknown>): Promise<number>;
  /** Calls the API below the project. Fails unless it answers with success. */
  call(
    method: string,
    path: string,
    body?: unknown,
    person?: Person,
  ): Promise<ApiAnswer["body"]>;
  /** Starts a workflow and lets it go on. Returns the id of the run. */
  start(workflowId: number, body?: unknown, person?: Person): Promise<number>;
  /** Lets all runs go on. */
  goOn(deps?: Deps, shared?: boolean): Promise<void>;
  run(workflowId: number, id: number, person?: Person): Promise<WholeRunView>;
  /** States of the steps of a run, by their names. */
  states(workflowId: number, id: number): Promise<Record<string, string>>;
  /** Tasks that have not ended, the oldest first. */
  openTasks(): Promise<TaskRow[]>;
  /** Ends a task, with the reason of a failure and the line that reports it. */
  end(
    task: Pick<TaskRow, "id">,
    how: Ending,
    failure?: { reason: Sentence; failure_line: number },
  ): Promise<void>;
  /** Rows of the outbox. */
  outbox(): Promise<unknown[]>;
}

export async function newWorkflowStage(options?: WorldOptions): Promise<WorkflowStage> {
  const world = await newWorld(options);
  const { kv, deps, web } = world;
  let templates = 0;
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    person: Person = "alice",
  ) => {
    const answer = await world.api(person, method, `/api/project/${web.id}${path}`, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const goOn = (by: Deps = deps, shared = false) => doDue(by, runWorker, { shared });
  const stage: WorkflowStage = {
    world,
    call,
    goOn,
    template: async (fields) => {
      const { id } = await call("POST", "/templates", {
        name: `Template ${++templates}`,
        playbook: "site.yml",
        inventory_id: web.inventoryId,
        repository_id: web.repositoryId,
        environment_id: web.environmentId,
        ...fields,
      });
      return id;
    },
    workflow: async (steps, fields) =>
      (await call("POST", "/workflows", { name: "Release", steps, ...fields })).id,
    start: async (workflowId, body = {}, person) => {
      const { id } = await call("POST", `/workflows/${workflowId}/run`, body, person);
      await goOn();
      return id;
    },
    run: (workflowId, id, person) =>
      call("GET", `/workflows/${workflowId}/runs/${id}`, undefined, person),
    states: async (workflowId, id) => {
      const { steps } = await stage.run(workflowId, id);
      return Object.fromEntries(steps.map(({ name, state }) => [String(name), state]));
    },
    openTasks: async () => {
      const rows = await listTaskRows(kv, web.id, { limit: 1000 });
      return rows.filter(({ status }) => !isFinished(status)).reverse();
    },
    end: async ({ id }, how, failure) => {
      const started = { id, project_id: web.id };
      await advance(kv, started, "starting");
      const task = await advance(kv, started, "running");
      if (how === "changed") {
        const head: Partial<ResultHead> = { counts: { changed: 1 } };
        await kv.set(rowKeys.taskResultHead(id), head);
      }
      if (how === "stopped") await advance(kv, started, "stopping", { stop: "stop" });
      const end = how === "error" ? how : "success";
      const log = { head: emptyHead(), close() {} };
      await endTask(deps, await getTaskRow(kv, web.id, task.id), {
        ...{ how: end, reason: null, log },
        ...failure,
      });
    },
    outbox: () =>
      Array.fromAsync(kv.list({ prefix: rowKeys.jobsOfKind(runJobs.name) }), ({ value }) => value),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
  return stage;
}
