import assert from "node:assert/strict";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { packed } from "@/lib/store/rows/packed_json.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const BEYOND = Number.MAX_SAFE_INTEGER;

/** All addresses that show a task's results and its hosts. */
const addressesOf = (task: string, project: string) => [
  `/api${task}`,
  ...["hosts", "plays", "results", "ansible/hosts", "ansible/errors"]
    .map((name) => `/api${task}/${name}`),
  `/api${task}/results?host=web&status=failed`,
  task,
  ...["hosts", "timeline", "changes", "hosts?tab_host=1", "hosts?tab_result=100001"]
    .map((name) => `${task}/${name}`),
  `${project}/hosts`,
  `${project}/hosts?order=run`,
  `${project}/hosts/web`,
  `/api${project}/hosts`,
  `/api${project}/hosts/web/runs`,
];

Deno.test("times that no clock shows, and rows that hold nothing, break no page", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(
    play("Web", false, BEYOND),
    task("a", BEYOND),
    result("a", "web", { status: "failed", message: "full", began: 0, ended: BEYOND }),
    result("a", "db", { status: "changed", began: BEYOND, ended: BEYOND, diff: "-a\n+b" }),
    { type: "recap", hosts: new Map() },
    { type: "end", at: BEYOND, lost: 0 },
  );
  await run.end("error");
  await rememberDue(world.deps);
  const path = run.path.replace("/api", "");
  const ask = async () => {
    for (const address of addressesOf(path, `/project/${world.web.id}`)) {
      const answer = await world.get("carol", address);
      const text = await answer.text();
      assert.equal(answer.status, 200, `${address}: ${text.slice(0, 500)}`);
    }
  };
  await ask();
  const results = (await world.api("carol", "GET", `${run.path}/results`)).body;
  assert.equal(results[0].start, "2200-01-01T00:00:00.000Z");
  for (const value of [new Uint8Array([1, 2, 3]), packed({ not: "a list" })]) {
    for (const kind of ["cells", "states", "texts", "diffs"]) {
      const rows = world.kv.list({ prefix: rowKeys.taskResultRow(run.id, kind) });
      for await (const { key } of rows) await world.kv.set(key, value);
    }
    await ask();
  }
});
