import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, assertFitsWidth, newStage } from "@/tests/support/browser.ts";
import { makeBusyProject, SLOW_TASKS } from "@/tests/support/busy_project.ts";

async function newBusyStage() {
  const stage = await newStage();
  const folder = await Deno.makeTempDir({ prefix: "callboard_busy_" });
  return {
    stage,
    project: await makeBusyProject(stage, folder),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const heightsOf = (page: Page) =>
  page.locator("#history-tasks > tr").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height)
  );

Deno.test("the dashboard follows what runs, waits, asks and fails, and nothing is reloaded", async () => {
  await using busy = await newBusyStage();
  const { stage, project } = busy;
  const first = await project.start(project.slow);
  const { page, problems } = await stage.open();
  await page.goto(`/project/${project.id}/history`);
  await page.locator(`#task-${first}`).getByText("Success").waitFor();
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));

  // Compared with the last successful run, while Ansible really runs.
  const running = await project.start(project.slow, 2, "Roll out");
  const bar = page.locator(`#progress-${running}`);
  await bar.waitFor();
  const seen = new Set<number>();
  for (let value = 0; value < 4;) {
    value = await bar.evaluate((element) => (element as HTMLProgressElement).value);
    seen.add(value);
    await page.waitForTimeout(200);
  }
  assert.ok(seen.size >= 3, [...seen].join(", "));
  assert.equal(await bar.getAttribute("max"), String(SLOW_TASKS));
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  // The next task of the template waits for it.
  const waiting = await project.start(project.slow);
  await page.locator(`#waiting-${waiting}`).getByText(`One task at a time: waiting for #${running}`)
    .waitFor();
  await assertAccessible(page);
  const asked = await project.start(project.asked);
  await page.locator(`#confirming-${asked}`).getByRole("button", { name: "Confirm" }).click();
  await page.locator(`#confirming-${asked}`).waitFor({ state: "detached" });
  assert.match(page.url(), /\/history$/);
  const broken = await project.start(project.broken);
  await page.locator(`#failed-${broken}`).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const { height } = (await page.locator(`#failed-${broken}`).boundingBox())!;
  assert.ok(height < 90, `a failure takes two lines, of ${height} px`);
  await page.getByRole("button", { name: "Mark as seen" }).click();
  await page.locator("#overview-failed").waitFor({ state: "detached" });
  for (const id of [running, waiting, asked]) {
    await page.locator(`#task-${id}`).getByText("Success").waitFor();
  }
  for (const name of ["running", "waiting", "confirming"]) {
    await page.locator(`#overview-${name}`).waitFor({ state: "detached" });
  }
  assert.ok(await page.evaluate(() => "isSame" in globalThis));
  assert.deepEqual(problems, []);
});

Deno.test("filters show at once what they ask for, and rows are one line high", async () => {
  await using busy = await newBusyStage();
  const { stage, project } = busy;
  const message = "Roll out to all hosts of all data centres, one after the other. ".repeat(4);
  const good = await project.start(project.slow, 0, message);
  const broken = await project.start(project.broken);
  const { page, problems } = await stage.open({ viewport: { width: 1280, height: 900 } });
  await page.goto(`/project/${project.id}/history`);
  await page.locator(`#task-${good}`).getByText("Success").waitFor();
  await page.locator(`#task-${broken}`).getByText("Failed").waitFor();
  for (const height of await heightsOf(page)) assert.ok(height <= 48, String(height));
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));

  await page.locator("#filter-status > summary").click();
  await page.getByRole("checkbox", { name: "Failed" }).check();
  await page.locator(`#task-${good}`).waitFor({ state: "detached" });
  assert.match(page.url(), /status=error/);
  assert.ok(
    await page.getByRole("checkbox", { name: "Failed" }).isVisible(),
    "the list stays open",
  );
  await page.getByRole("checkbox", { name: "Success" }).check();
  await page.locator(`#task-${good}`).waitFor();
  await page.getByLabel("Template", { exact: true }).selectOption({ label: "Asked" });
  await page.getByText("No task matches: Template: Asked, Status: Success / Failed").waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: "Show all tasks" }).click();
  await page.locator(`#task-${broken}`).waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.ok(await page.evaluate(() => "isSame" in globalThis));
  assert.deepEqual(problems, []);

  // A question over the history. The task has disappeared from the list behind it.
  await page.getByTitle(`Delete #${broken}`).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.locator(`#task-${broken}`).waitFor({ state: "detached" });

  const phone = await stage.open({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
    colorScheme: "dark",
  });
  await phone.page.goto(`/project/${project.id}/history`);
  await assertFitsWidth(phone.page);
  for (const height of await heightsOf(phone.page)) assert.ok(height <= 105, String(height));
  await phone.page.getByLabel("Template", { exact: true }).selectOption({ label: "Asked" });
  await phone.page.getByRole("button", { name: "Filter" }).click();
  await phone.page.getByText("No task matches: Template: Asked").waitFor();
  await phone.page.goto(`/project/${project.id}/activity?kind=task`);
  await assertFitsWidth(phone.page);
  await phone.page.getByText(`Task #${good} (Slow) was queued`).waitFor();
});
