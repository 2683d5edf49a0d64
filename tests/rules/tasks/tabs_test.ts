import assert from "node:assert/strict";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const page = async (world: World, path: string) => {
  const answer = await world.get("carol", path);
  return { status: answer.status, html: await answer.text() };
};
const tabs = (html: string) =>
  [...html.matchAll(/<a id="task-tab-(\w+)" href="([^"]+)"( aria-current="page")?/g)]
    .map(([, name, href, current]) => [
      name,
      href.replaceAll("&amp;", "&"),
      ...current ? ["current"] : [],
    ]);

async function twoHosts(world: World) {
  const run = await reportedTask(world);
  await run.report(
    play("Web servers"),
    task("a"),
    result("a", "web", { status: "changed" }),
    result("a", "db", { status: "failed", message: "no space left" }),
  );
  await run.flush();
  return { ...run, page: run.path.replace("/api", "") };
}

Deno.test("a task's tabs have addresses of their own, on its page and over another", async () => {
  await using world = await newWorld();
  const run = await twoHosts(world);
  await run.end();
  const output = await page(world, run.page);
  assert.deepEqual(tabs(output.html), [
    ["output", run.page, "current"],
    ...["hosts", "timeline", "changes"].map((name) => [name, `${run.page}/${name}`]),
  ]);
  assert.match(output.html, /1 host failed/);
  const hosts = await page(world, `${run.page}/hosts`);
  assert.deepEqual(tabs(hosts.html).map(([name, , current]) => [name, current]), [
    ["output", undefined],
    ["hosts", "current"],
    ["timeline", undefined],
    ["changes", undefined],
  ]);
  assert.ok(hosts.html.indexOf(">db<") < hosts.html.indexOf(">web<"), "the worst first");
  assert.doesNotMatch(hosts.html, /data-live/, "nothing is new any more");

  const history = `/project/${world.web.id}/history?status=success`;
  const over = await page(world, `${history}&t=${run.id}&tab=hosts&tab_state=failed`);
  assert.deepEqual(tabs(over.html), [
    ["output", `${history}&t=${run.id}`],
    ["hosts", `${history}&t=${run.id}&tab=hosts`, "current"],
    ...["timeline", "changes"].map((name) => [name, `${history}&t=${run.id}&tab=${name}`]),
  ]);
  assert.match(over.html, />db</);
  assert.doesNotMatch(over.html, />web</);
  assert.match(over.html, /href="[^"]*history\?status=success#task-\d+"[^>]*data-cancel/);
  assert.equal((await page(world, `${run.page}/nothing`)).status, 404);
  assert.equal((await world.get("dave", `${run.page}/hosts`)).status, 404);
});

Deno.test("tabs of a task that reported nothing say so", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const path = `${run.path.replace("/api", "")}/hosts`;
  assert.match((await page(world, path)).html, /No host results yet/);
  await run.end();
  assert.match((await page(world, path)).html, /No host results for this task/);
});

Deno.test("an open tab shows news as on the page, until the task ends", async () => {
  await using world = await newWorld();
  const run = await twoHosts(world);
  const history = `/project/${world.web.id}/history`;
  for (const path of [`${run.page}/hosts`, `${history}?t=${run.id}&tab=hosts`]) {
    const [, live] = /id="task-live" data-live="([^"]+)"/.exec((await page(world, path)).html)!;
    const { body } = await world.get("carol", live.replaceAll("&amp;", "&"));
    const stream = readStream(body!);
    const first = await stream.until(/id="task-tab"[^]*\n\n/);
    assert.match(first, /data-live=/);
    if (path.includes("?t=")) assert.match(first, /history\?t=\d+&amp;tab=hosts&amp;tab_host=/);
    const name = path.includes("?t=") ? "late" : "later";
    await run.report(result("a", name));
    await run.flush();
    await stream.until(new RegExp(`>${name}<`));
    if (path.includes("?t=")) {
      await run.end();
      const [row] = await getTasks(world.kv, [[world.web.id, run.id]]);
      taskChanged(world.deps, row);
      assert.doesNotMatch(await stream.until(/Success/), /data-live/);
      await stream.end();
    } else await stream.cancel();
  }
});
