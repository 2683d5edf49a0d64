import assert from "node:assert/strict";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { amendTask } from "@/lib/tasks/steps.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import {
  latestOf,
  pass,
  repeatingTemplate,
  run,
  startOf,
  tasksOf,
} from "@/tests/support/world/attempts.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a person repeats a task on failed hosts, with options or by one click without a script", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  await told.report(
    play("Web"),
    task("a"),
    ...Array.from({ length: 9 }, (_, n) =>
      result("a", `web${n}`, {
        status: n === 7 ? "unreachable" : n > 5 ? "failed" : "ok",
        message: "no space left",
      })),
  );
  await told.end("error");
  const commit_hash = "0123456789abcdef0123456789abcdef01234567";
  await amendTask(world.kv, { id: told.id, project_id: world.web.id }, { commit_hash });
  const path = `/project/${world.web.id}/tasks/${told.id}`;
  for (const width of [1280, 390]) {
    await using visit = await lookAt(world, "mike", {
      colorScheme: width === 390 ? "dark" : "light",
      viewport: { width, height: 844 },
    });
    const { page, problems } = visit;
    await page.goto(path);
    await isQuiet(page);
    await page.getByRole("button", { name: "Run again on the 3 failed or unreachable" }).waitFor();
    await assertFitsWidth(page);
    await assertAccessible(page);
    await page.locator("summary", { hasText: "Retry options" }).click();
    const latest = await page.getByRole("button", { name: "With the latest commit" }).boundingBox();
    assert.ok(latest!.x >= 0 && latest!.x + latest!.width <= width, JSON.stringify(latest));
    await assertFitsWidth(page);
    await assertAccessible(page);
    await page.getByRole("link", { name: "Choose…" }).click();
    await page.getByLabel("Hosts", { exact: true }).selectOption({ label: "Failed (2)" });
    await page.getByLabel('Start at the Ansible task "Task a"').waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Run again", exact: true }).click();
    await page.getByText(`Repeats task #${told.id} on 2 of 9 hosts`).waitFor();
    assert.deepEqual(problems, []);
  }
  const tasks = async () => (await tasksOf(world)).length;
  const before = await tasks();
  await using twice = await lookAt(world, "bob");
  await twice.page.goto(path);
  await isQuiet(twice.page);
  // The server gets each request, and its answer comes after the second click.
  await twice.page.route("**/retry", async (route) => {
    const response = await route.fetch();
    await new Promise((go) => setTimeout(go, 500));
    await route.fulfill({ response }).catch(() => {});
  });
  const again = twice.page.getByRole("button", { name: "Run again on the 3" });
  await again.evaluate((button: HTMLElement) => {
    button.click();
    setTimeout(() => button.click(), 150);
  });
  await twice.page.getByText(/on 3 of 9 hosts/).waitFor();
  await isQuiet(twice.page);
  assert.equal(await tasks(), before + 1, "a double click starts one task");
  await using visit = await lookAt(world, "bob", { javaScriptEnabled: false });
  await visit.page.goto(path);
  await visit.page.getByRole("button", { name: "Run again on the 3" }).click();
  await visit.page.getByText(/on 3 of 9 hosts/).waitFor();
});

Deno.test("a person sees the next attempt of a task and cancels it, also without a script", async () => {
  await using world = await newWorld();
  const template = await repeatingTemplate(world);
  const failed = async () => {
    const id = await startOf(world, template, { limit: crypto.randomUUID() });
    await run(world, id, { web1: "ok", web2: "failed" });
    await pass(world, 5);
    const { id: second } = await latestOf(world);
    await run(world, second, { web2: "failed" });
    return { first: id, path: `/project/${world.web.id}/tasks/${second}` };
  };
  for (const javaScriptEnabled of [true, false]) {
    const { first, path } = await failed();
    await using visit = await lookAt(world, "bob", {
      javaScriptEnabled,
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
    });
    const { page, problems } = visit;
    await page.goto(path);
    if (javaScriptEnabled) await isQuiet(page);
    const story = page.locator("#task-retries");
    await story.getByText("Attempt 2 of 4").waitFor();
    await story.getByText("Next attempt").waitFor();
    await story.getByRole("link", { name: `#${first}` }).first().waitFor();
    await assertFitsWidth(page);
    if (javaScriptEnabled) await assertAccessible(page);
    await page.getByRole("button", { name: "Do not retry" }).click();
    await page.getByText("Bob canceled the next attempt.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Do not retry" }).count(), 0);
    assert.deepEqual(problems, []);
  }
});
