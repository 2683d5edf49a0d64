import assert from "node:assert/strict";
import type { HostResult } from "../execution/run/events.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { findFirstFailure } from "./first_failure.ts";

type Told = [host: string, changes: Partial<HostResult>];

/** Returns the first failure of a run with one Ansible task for each list of results. */
async function failureOf(...steps: Told[][]) {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("all"));
  for (const [n, results] of steps.entries()) {
    await run.report(task(`${n}`));
    for (const [host, changes] of results) await run.report(result(`${n}`, host, changes));
  }
  await run.flush();
  const found = await findFirstFailure(world.kv, run.id);
  if (!found) return null;
  const { key, params: { host, task: name, message, count } = {} } = found.reason;
  return [key.split(".").at(-1), host, name, message, count];
}

const failed = (message: string) => ({ status: "failed", message }) as const;
const away = { status: "unreachable", message: "No route to host" } as const;

Deno.test("the first failure is the first fatal one, with the number of other hosts", async () => {
  assert.deepEqual(
    await failureOf(
      [["db", away], ["web", { status: "ignored", message: "Never mind" }], ["app", {}]],
      [["web", { status: "rescued", message: "Saved" }], ["app", {}]],
      [["web", failed("expired on 2026-11-01")], ["app", failed("Late")]],
    ),
    ["first_failure", "web", "Task 2", "expired on 2026-11-01", 2],
  );
  assert.deepEqual(
    await failureOf([["web", {}], ["db", failed("non-zero return code\n\n cat: /nope\nmore")]]),
    ["only_failure", "db", "Task 0", "non-zero return code: cat: /nope", 0],
  );
});

Deno.test("a host that was unreachable is the reason where none failed", async () => {
  assert.deepEqual(
    await failureOf([["web", {}], ["db", away]]),
    ["only_failure", "db", "Task 0", "No route to host", 0],
  );
});

Deno.test("a host that was not reached because of its key leads to the page of keys", async () => {
  const ssh = (message: string) => [["web", { status: "unreachable", message }]] as Told[];
  const changed = "Failed to connect to the host via ssh: @@@@\r\n@    WARNING: REMOTE HOST " +
    "IDENTIFICATION HAS CHANGED!     @\r\nHost key for [10.0.0.7]:2222 has changed and you have " +
    "requested strict checking.\r\nHost key verification failed.";
  assert.deepEqual((await failureOf(ssh(changed)))?.slice(0, 2), [
    "host_key_changed",
    "[10.0.0.7]:2222",
  ]);
  const unknown =
    "No ED25519 host key is known for 10.0.0.8 and you have requested strict checking.";
  assert.deepEqual(
    (await failureOf(ssh(`${unknown}\r\nHost key verification failed.`)))?.slice(0, 2),
    ["host_key_refused", "10.0.0.8"],
  );
  assert.deepEqual(
    (await failureOf(ssh("Host key verification failed.")))?.slice(0, 2),
    ["host_key_refused", "web"],
  );
});

Deno.test("a loop's first failed item is the reason, and without a message there is none", async () => {
  const item = { status: "failed", label: "nginx", message: "No package" } as const;
  const loop = { ...failed(""), items: [1, 0, 1, 0], itemResults: [item] } satisfies Told[1];
  assert.deepEqual(
    await failureOf([["web", loop]]),
    ["only_failure", "web", "Task 0", "nginx: No package", 0],
  );
  assert.equal(await failureOf([["web", failed("")]]), null);
  assert.equal(await failureOf([["web", { status: "ignored", message: "Never mind" }]]), null);
  const [, , , message] = (await failureOf([["web", failed("x".repeat(10_000))]]))!;
  assert.equal(String(message).length, 300);
});
