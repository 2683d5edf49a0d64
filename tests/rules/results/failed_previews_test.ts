import assert from "node:assert/strict";
import { confirmAutoFix } from "@/lib/queue/approvals/confirm.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { previewedTask } from "@/tests/support/world/previewed_task.ts";
import { result } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const failed = (world: World) =>
  previewedTask(world, {
    more: [result("b", "db", { status: "failed", message: "no package <nginx>" })],
  });

const textOf = async (world: World, person: "bob" | "mike", path: string) =>
  (await (await world.get(person, path)).text()).replaceAll("&lt;", "<");

const eventsOf = async (world: World): Promise<string[]> =>
  (await world.api("alice", "GET", `/api/project/${world.web.id}/events`)).body
    .map(({ description }: { description: string }) => description);

Deno.test("a preview that failed is confirmed by a manager who has seen the failures, and by no one else", async () => {
  await using world = await newWorld();
  const task = await failed(world);
  const confirm = (person: "bob" | "mike" | "carol", body?: unknown) =>
    world.api(person, "POST", `${task.path}/confirm`, body);
  const known = { in_spite_of_failures: true };
  const { body } = await world.api("bob", "GET", task.path);
  assert.deepEqual([body.status, body.preview.failed_hosts], ["waiting_confirmation", 1]);

  for (const answer of [await confirm("bob"), await confirm("mike"), await confirm("mike", {})]) {
    assert.equal(answer.status, 409);
    assert.match(answer.body.error, /Send in_spite_of_failures/);
  }
  assert.equal((await confirm("mike", { in_spite_of_failures: "perhaps" })).status, 400);
  assert.equal((await confirm("carol", known)).status, 403);
  const refused = await confirm("bob", known);
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /Only people who can manage the resources/);
  assert.equal((await world.api("bob", "GET", task.path)).body.status, "waiting_confirmation");

  const review = `${task.page}/review`;
  const seen = await textOf(world, "bob", review);
  assert.match(seen, /The preview failed[^]*db[^]*Task b[^]*no package <nginx>/);
  assert.match(seen, /Only people who can manage the resources/);
  assert.doesNotMatch(seen, /in_spite_of_failures|\/confirm"/);
  assert.match(seen, /\/reject"/, "everyone who may run tasks can still reject it");
  const offered = await textOf(world, "mike", review);
  assert.match(offered, /no package <nginx>/);
  assert.match(offered, /Approve in spite of failures/);

  for (const person of ["bob", "mike"] as const) {
    const head = await textOf(world, person, task.page);
    assert.match(head, /id="task-approval-title"[^]*?The preview failed/);
    const dashboard = await textOf(world, person, `/project/${world.web.id}/history`);
    assert.match(dashboard, /id="confirming-[^]*?The preview failed/);
    assert.doesNotMatch(dashboard, /hosts would change/);
  }

  const sent = await world.post("mike", `${task.page}/confirm`, {
    back: task.page,
    in_spite_of_failures: "true",
  });
  assert.equal(sent.status, 303);
  assert.equal((await world.api("bob", "GET", task.path)).body.status, "confirmed");
  assert.match((await eventsOf(world))[0], /was approved in spite of failures in its preview$/);
});

Deno.test("nothing confirms a preview that failed automatically", async () => {
  await using world = await newWorld();
  const task = await failed(world);
  const row = await getTaskRow(world.kv, world.web.id, task.id);
  const actor = { kind: "drift", id: 1, name: "Fix", projectId: world.web.id } as const;
  await assert.rejects(
    confirmAutoFix(world.deps, row, actor, () => Promise.resolve()),
    { status: 409, key: "errors.preview.failed" },
  );
});
