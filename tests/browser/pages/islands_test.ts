import assert from "node:assert/strict";
import { isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A task that failed on one of two hosts, with a line of output. */
async function failedTask(world: World) {
  const told = await reportedTask(world);
  await told.report(
    play("Web"),
    task("a"),
    result("a", "web1"),
    result("a", "web2", { status: "failed", message: "no space left" }),
  );
  await told.output.write("output of the first task");
  await told.end("error");
  return { ...told, page: `/project/${world.web.id}/tasks/${told.id}` };
}

Deno.test("a task that repeats another is shown immediately, without anything of the other one", async () => {
  await using world = await newWorld();
  const first = await failedTask(world);
  await using visit = await lookAt(world, "mike");
  const { page, problems } = visit;
  await page.goto(first.page);
  await isQuiet(page);
  await page.getByRole("log").getByText("output of the first task").waitFor();
  await page.getByRole("button", { name: "Run again on the failed host" }).click();
  await page.getByText(`Repeats task #${first.id} on 1 of 2 hosts`).waitFor();
  await page.locator(".task-waits").waitFor();
  const header = page.locator("#task-header");
  await header.getByText("Waiting", { exact: true }).waitFor();
  assert.equal(await header.getByText("Failed").count(), 0);
  assert.equal(await page.getByText("output of the first task").count(), 0);
  const second = first.id + 1;
  assert.equal(new URL(page.url()).search, `?t=${second}`);
  const download = page.getByRole("link", { name: "Plain text", exact: true });
  assert.match(await download.getAttribute("href") ?? "", new RegExp(`/tasks/${second}/`));

  // Its buttons are for it, and its events arrive.
  const [request] = await Promise.all([
    page.waitForRequest((request) => request.method() === "POST"),
    header.getByRole("button", { name: "Stop" }).click(),
  ]);
  assert.match(request.url(), new RegExp(`/tasks/${second}/stop$`));
  await header.getByText("Stopped", { exact: true }).waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a page whose language changes shows no part in the former language", async () => {
  await using world = await newWorld();
  const { page: path } = await failedTask(world);
  await using visit = await lookAt(world, "mike");
  const { page, problems } = visit;
  await page.goto(path);
  await isQuiet(page);
  await page.locator("#task-header").getByText("Failed", { exact: true }).waitFor();
  await page.locator("button.language").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.locator("#task-header").getByText("Fehlgeschlagen", { exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Suche in der Ausgabe" }).waitFor();
  await isQuiet(page);
  await page.locator("#palette-" + world.web.id + "[data-awake]").waitFor({ state: "attached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByText("Schlüsselspeicher").first().waitFor();
  await page.keyboard.press("Escape");

  // The page's own script has started again, once: a link that stays still does.
  await page.locator("#task-tab-hosts").click();
  await page.getByText("web2").first().waitFor();
  assert.equal(await page.locator("#live-page").count(), 1);
  assert.equal(await page.locator("#discard").count(), 1);
  assert.deepEqual(problems, []);
});

Deno.test("a code editor says what is wrong with its text, keeps it, and shows the text of its page", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "mike");
  const { page, problems } = visit;
  await page.goto(`/project/${world.web.id}/environment/new`);
  await isQuiet(page);
  await page.getByLabel("Environment name").fill("Broken");
  await page.locator("#json-variables").getByRole("button", { name: "Edit as JSON" }).click();
  const area = page.locator("textarea[name=json]");
  await area.focus();
  await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type('{"a": }');
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("textarea[name=json][aria-invalid=true]").waitFor({ state: "attached" });
  assert.equal(await area.inputValue(), '{"a": }');
  assert.deepEqual(problems.filter((problem) => !problem.includes("422")), []);
});
