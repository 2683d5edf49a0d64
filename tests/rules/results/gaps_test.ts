import assert from "node:assert/strict";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const STOPPED = /The results end early because the task was stopped\./;
const CUT_OFF = /The results end early because Ansible did not finish\./;
const LOST = /7 events were lost\. Some results may be missing\./;

const page = async (world: World, path: string) => await (await world.get("carol", path)).text();

/** Starts a run of one Ansible task on a host. */
async function began(world: World) {
  const run = await reportedTask(world);
  await run.report(play("all"), task("1"), result("1", "web", { status: "changed" }));
  await run.flush();
  return { ...run, page: run.path.replace("/api", "") };
}

const summaryOf = async (world: World, { path }: { path: string }) =>
  (await world.api("carol", "GET", `${path}/results_summary`)).body;

Deno.test("results that end early say so, wherever they are shown", async () => {
  await using world = await newWorld();
  const whole = await began(world);
  await whole.report({ type: "end", at: 0, lost: 7 });
  await whole.end();
  const run = await began(world);
  const places = [
    "/hosts",
    "/hosts?host=1",
    "/hosts?view=matrix",
    "/timeline",
    "/timeline?task=1",
    "/changes",
    "/changes?by=host",
  ];
  for (const place of places) {
    assert.doesNotMatch(await page(world, run.page + place), STOPPED, `${place}, while it runs`);
  }
  assert.equal((await summaryOf(world, run)).ends_early, false);
  await run.end("stopped");
  for (const place of places) {
    assert.match(await page(world, run.page + place), STOPPED, place);
    assert.match(await page(world, whole.page + place), LOST, place);
    assert.doesNotMatch(await page(world, whole.page + place), /end early/, place);
  }
  const over = await page(world, `/project/${world.web.id}/history?t=${run.id}&tab=hosts`);
  assert.match(over, STOPPED);
  const { complete, lost, ends_early, results } = await summaryOf(world, run);
  assert.deepEqual([complete, lost, ends_early, results], [false, 0, true, 1]);
  assert.equal((await summaryOf(world, whole)).lost, 7);

  const compared = await page(
    world,
    `/project/${world.web.id}/templates/${world.deploy.id}/compare?a=${run.id}&b=${whole.id}`,
  );
  assert.match(compared, new RegExp(`Task #${run.id}: ${STOPPED.source}`));
  assert.match(compared, new RegExp(`Task #${whole.id}: ${LOST.source}`));

  await rememberDue(world.deps);
  const host = await page(world, `/project/${world.web.id}/hosts/web`);
  assert.equal(host.match(/Results end early/g)?.length, 1);
  const { body } = await world.api("carol", "GET", `/api/project/${world.web.id}/hosts/web/runs`);
  assert.deepEqual(body.map((its: { complete: boolean }) => its.complete), [false, true]);
});

Deno.test("a run that was not stopped, and ended early all the same, says why", async () => {
  await using world = await newWorld();
  const run = await began(world);
  await run.end("error");
  assert.match(await page(world, `${run.page}/hosts`), CUT_OFF);
});

Deno.test("a run that reported nothing has no summary", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const { status } = await world.api("carol", "GET", `${run.path}/results_summary`);
  assert.equal(status, 404);
});
