import assert from "node:assert/strict";
import { createLogWriter } from "@/lib/output/writer.ts";
import { startDispatcher } from "@/lib/queue/dispatcher.ts";
import { newRunBench } from "./support/run_bench.ts";
import { until } from "./support/until.ts";
import { newWorld } from "./support/world.ts";

/** Makes commits fail as on a full disk, until `makeRoom` is called. */
function fillDisk(kv: Deno.Kv): { makeRoom(): void } {
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    op.commit = () => Promise.reject(new TypeError("database or disk is full"));
    return op;
  };
  return { makeRoom: () => void (kv.atomic = atomic) };
}

Deno.test("a task whose end cannot be stored gets one as soon as it can", async () => {
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
  const [first, second] = [
    await make("tasks", { template_id }),
    await make("tasks", { template_id }),
  ];
  const taskOf = async (id: number) => (await world.api("alice", "GET", `${web}/tasks/${id}`)).body;

  let disk: ReturnType<typeof fillDisk> | null = null;
  world.deps.hub.subscribe((message) => {
    if (message.type === "log" && message.task_id === first) disk ??= fillDisk(world.kv);
  });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: false,
  });
  try {
    await until(() => world.log.some(({ event }) => event === "task_lost"));
    disk!.makeRoom();
    await until(async () => (await taskOf(second)).status === "success");
    const { status, end, end_reason } = await taskOf(first);
    assert.equal(status, "error");
    assert.ok(end);
    assert.match(end_reason, /server's log has the reason/);
    const output = await world.api("alice", "GET", `${web}/tasks/${first}/raw_output`);
    assert.match(output.body, /^Updating repository.*\n.*server's log has the reason/s);
  } finally {
    await dispatcher.stop(0);
  }
});

Deno.test("a log that cannot be stored is told to who flushes it, and harms nobody else", async () => {
  await using world = await newWorld();
  const { kv, hub, clock } = world.deps;
  fillDisk(kv);
  const log = createLogWriter({ kv, hub, clock, projectId: 1, taskId: 1 });
  for (let n = 0; n < 3; n++) log.write("x".repeat(40_000));
  await new Promise((resolve) => setTimeout(resolve, 10));
  await assert.rejects(log.flush(), /disk is full/);
});
