import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { sleep } from "../../base/time/pause.ts";
import { followTasks, tasksVersion } from "./follow_tasks.ts";

const PAGES = 300;

Deno.test("the more pages follow tasks, the more changes each of their updates has", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy } = world;
  const scope = await openProject({ deps, actor: people.bob.actor }, web.id);
  const version = await tasksVersion(scope);
  const leaving = new AbortController();
  const pages = Array.from({ length: PAGES }, () => followTasks(scope, version, leaving.signal));
  async function start() {
    const path = `/api/project/${web.id}/tasks`;
    const { status } = await world.api("bob", "POST", path, { template_id: deploy.id });
    assert.equal(status, 201);
  }
  /** Reads a number of changes on each page. Returns the numbers of updates that they came in. */
  const read = (count: number) =>
    Promise.all(pages.map(async (page) => {
      let updates = 0;
      for (let changes = 0; changes < count; updates++) {
        changes += (await page.next()).value?.length ?? 0;
      }
      return updates;
    }));
  let updates = read(1);
  await start();
  assert.deepEqual(new Set(await updates), new Set([1]), "immediately after a pause");
  const startedAt = performance.now();
  updates = read(3);
  for (let n = 0; n < 3; n++) {
    await start();
    await sleep(100);
  }
  const most = Math.max(...await updates);
  const intervals = (performance.now() - startedAt) / (5 * PAGES);
  assert.ok(most <= 1 + intervals, `${most} updates in ${intervals} intervals`);
  leaving.abort();
  await Promise.all(pages.map((page) => page.return(undefined)));
});
