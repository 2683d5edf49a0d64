import assert from "node:assert/strict";
import { join } from "node:path";
import type { RunnerDeps } from "@/lib/queue/remote/remote.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { newRunBench } from "./run_bench.ts";
import { newWorld, type World, type WorldOptions } from "@/tests/support/world/world.ts";

/** A world whose tasks run, with a repository to check out, and the stand-in for Ansible. */
export interface Queue extends AsyncDisposable {
  world: World;
  /** Dependencies of the server that runs the tasks. */
  runner: RunnerDeps;
  /** Creates a template whose tasks can run and returns its id. */
  makeTemplate(fields?: Record<string, unknown>): Promise<number>;
  /** Queues a task, which then runs for `sleepMs`. */
  start(
    templateId: number,
    options?: { sleepMs?: number; build_task_id?: number; commit_hash?: string },
  ): Promise<number>;
  row(id: number): Promise<TaskRow>;
  /** Starts the dispatcher. The queue does not move before. */
  dispatch(): void;
}

/** Creates the queue. With `elsewhere`, another server on the same store runs the tasks. */
export async function newQueue(
  { elsewhere = false, ...options }: WorldOptions & { elsewhere?: boolean } = {},
): Promise<Queue> {
  const home = await Deno.makeTempDir({ prefix: "callboard_queue_" });
  const kvPath = join(home, "callboard.kv");
  const world = await newWorld({ kvPath, ...options });
  const bench = await newRunBench();
  const kv = elsewhere ? await openStore(kvPath) : world.kv;
  const runner = elsewhere ? { ...world.deps, kv } : world.deps;
  const { web } = world;
  const make = async (kind: string, body: unknown): Promise<number> => {
    const answer = await world.api("alice", "POST", `/api/project/${web.id}/${kind}`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const repository_id = await make("repositories", {
    name: "Bench",
    git_url: bench.repository.url,
    git_branch: "main",
    ssh_key_id: web.keyId,
  });
  const template = { name: "Work", playbook: "site.yml", inventory_id: web.inventoryId };
  let dispatcher: ReturnType<typeof startDispatcher> | undefined;
  return {
    world,
    runner,
    makeTemplate: (fields) => make("templates", { ...template, repository_id, ...fields }),
    start: (template_id, { sleepMs = 0, ...body } = {}) =>
      make("tasks", {
        ...body,
        template_id,
        environment: JSON.stringify({ callboard_stand_in_sleep_ms: String(sleepMs) }),
      }),
    row: (id) => getTaskRow(world.kv, web.id, id),
    dispatch() {
      dispatcher = startDispatcher(runner, { environment: bench.environment, shared: elsewhere });
      if (!elsewhere) runner.wakeDispatcher = dispatcher.wake;
    },
    async [Symbol.asyncDispose]() {
      await dispatcher?.stop(0);
      if (elsewhere) kv.close();
      await world[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}
