import assert from "node:assert/strict";
import { AppError } from "@/lib/base/errors.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Store } from "@/lib/store/store.ts";

const storeFull = () => new AppError(503, "errors.store_full");
const damaged = () => new TypeError("database disk image is malformed");

/** Makes commits fail until `mend` is called. */
function breakStore(kv: Store, failure: () => Error): { mend(): void } {
  const atomic = kv.atomic.bind(kv);
  let isBroken = true;
  kv.atomic = () => {
    const op = atomic();
    const commit = op.commit.bind(op);
    op.commit = () => isBroken ? Promise.reject(failure()) : commit();
    return op;
  };
  return { mend: () => void (isBroken = false) };
}

interface Stage {
  world: World;
  first: number;
  second: number;
  taskOf(id: number): Promise<Record<string, unknown>>;
  /** Lines of the first task's output. */
  output(): Promise<string>;
  mend(): void;
}

/** Starts two tasks, and breaks the store once the first one has printed something. */
async function whileBroken(failure: () => Error, test: (stage: Stage) => Promise<void>) {
  await using world = await newWorld();
  await using bench = await newRunBench();
  const web = `/api/project/${world.web.id}`;
  const make = async (kind: string, body: Record<string, unknown>) => {
    const answer = await world.api("alice", "POST", `${web}/${kind}`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id as number;
  };
  const repository_id = await make("repositories", {
    name: "Bench",
    git_url: bench.repository.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const inventory_id = world.web.inventoryId;
  const template = { name: "Full", playbook: "site.yml", inventory_id, repository_id };
  const template_id = await make("templates", template);
  const first = await make("tasks", { template_id });
  const second = await make("tasks", { template_id });
  let broken: ReturnType<typeof breakStore> | null = null;
  world.deps.hub.subscribe((message) => {
    if (message.type === "log" && message.task_id === first) {
      broken ??= breakStore(world.kv, failure);
    }
  });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: false,
  });
  const get = async (path: string) => (await world.api("alice", "GET", `${web}/${path}`)).body;
  try {
    await test({
      ...{ world, first, second },
      taskOf: (id) => get(`tasks/${id}`),
      output: () => get(`tasks/${first}/raw_output`),
      mend: () => broken!.mend(),
    });
  } finally {
    await dispatcher.stop(0);
  }
}

const happened = (world: World, name: string) => world.log.some(({ event }) => event === name);

Deno.test("a task whose end cannot be stored gets one as soon as it can", () =>
  whileBroken(damaged, async ({ world, first, second, taskOf, output, mend }) => {
    await until(() => happened(world, "task_lost"));
    mend();
    await until(async () => (await taskOf(second)).status === "success");
    const { status, end, end_reason } = await taskOf(first);
    assert.equal(status, "error");
    assert.ok(end);
    assert.match(String(end_reason), /server's log has the reason/);
    assert.match(await output(), /^Updating repository.*\n.*server's log has the reason/s);
  }));

Deno.test("a run waits for space on a full disk, and loses nothing", () =>
  whileBroken(storeFull, async ({ world, first, second, taskOf, output, mend }) => {
    await until(() => happened(world, "disk_full"));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal((await taskOf(second)).status, "waiting");
    mend();
    await until(async () => (await taskOf(second)).status === "success");
    const { status, end_reason } = await taskOf(first);
    assert.deepEqual({ status, end_reason }, { status: "success", end_reason: "" });
    const lines = (await output()).split("\n");
    for (const line of ["Checked out", "PLAY RECAP"]) {
      assert.equal(lines.filter((its) => its.startsWith(line)).length, 1, lines.join("\n"));
    }
  }));

Deno.test("a run on a disk that stays full ends with this reason once it can be stored", () =>
  whileBroken(storeFull, async ({ world, first, second, taskOf, output, mend }) => {
    world.deps.config.fullDiskMs = 200;
    await until(() => happened(world, "disk_full"));
    await until(() => happened(world, "disk_full_ended"));
    mend();
    await until(async () => (await taskOf(second)).status === "success");
    const { status, end_reason } = await taskOf(first);
    assert.equal(status, "error");
    assert.equal(end_reason, "The disk of the server was full.");
    assert.match(await output(), /\nThe disk of the server was full\.\n$/);
  }));

Deno.test("a server that ends on a full disk does not wait for space", () =>
  whileBroken(storeFull, async ({ world }) => {
    await until(() => happened(world, "disk_full"));
  }));

Deno.test("a log that cannot be stored fails the caller who flushes it, and harms no one else", async () => {
  await using world = await newWorld();
  const { kv, hub, clock } = world.deps;
  breakStore(kv, damaged);
  const log = createLogWriter({ kv, hub, clock, projectId: 1, taskId: 1 });
  for (let n = 0; n < 3; n++) log.write("x".repeat(40_000));
  await new Promise((resolve) => setTimeout(resolve, 10));
  await assert.rejects(log.flush(), /malformed/);
});
