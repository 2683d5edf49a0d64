import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { newWorld } from "@/tests/support/world.ts";
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
  const next = () =>
    Promise.all(pages.map(async (page) => (await page.next()).value?.length ?? null));
  let updates = next();
  await start();
  assert.deepEqual(new Set(await updates), new Set([1]), "immediately after a pause");
  updates = next();
  for (let n = 0; n < 3; n++) {
    await start();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual(new Set(await updates), new Set([3]));
  leaving.abort();
  await Promise.all(pages.map((page) => page.return(undefined)));
});
