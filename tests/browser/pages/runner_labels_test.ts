import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { runnerForm } from "@/lib/runners/schema.ts";
import { createRunner } from "@/lib/runners/service.ts";
import { assertAccessible, isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("labels are suggested one after the other, and a waiting task says what it waits for", async () => {
  await using world = await newWorld();
  const { web, deploy, deps, people } = world;
  const scope = await openProject({ deps, actor: people.alice.actor }, web.id, "manage_runners");
  const addRunner = (name: string, labels: string) =>
    createRunner(scope, runnerForm.parse({ name, labels }));
  await addRunner("dmz-1", "dmz");
  await using visit = await lookAt(world, "alice");
  const { page, problems } = visit;
  await page.goto(`/project/${web.id}/templates/${deploy.id}/edit`);
  await isQuiet(page);
  await page.getByText("Branch, limits, arguments and runner").click();
  const field = page.getByLabel("Runner labels");
  await field.fill("eu-1, ");
  await page.getByRole("option", { name: "dmz" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "eu-1, dmz");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".flash").waitFor();

  const tasks = `/api/project/${web.id}/tasks`;
  const { body: task } = await world.api("bob", "POST", tasks, { template_id: deploy.id });
  await page.goto(`/project/${web.id}/tasks/${task.id}`);
  await page.getByText("No runner has all of the labels eu-1, dmz").waitFor();
  await assertAccessible(page);
  await addRunner("eu", "dmz, eu-1");
  await page.getByText("eu has not connected yet").waitFor();
  assert.deepEqual(problems, []);
});
