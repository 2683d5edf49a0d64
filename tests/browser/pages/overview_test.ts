import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { advance } from "@/lib/tasks/steps.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  lookAt,
  newStage,
} from "@/tests/support/browser/browser.ts";
import { makeBusyDashboard } from "@/tests/support/world/busy_dashboard.ts";
import { makeBusyProject, SLOW_TASKS } from "@/tests/support/browser/busy_project.ts";
import { newWorld } from "@/tests/support/world/world.ts";

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
  await page.locator("#overview-running > summary").click();
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
  await page.locator("#overview-waiting > summary").click();
  await page.locator(`#waiting-${waiting}`).getByText(`One task at a time: waiting for #${running}`)
    .waitFor();
  await assertAccessible(page);
  const asked = await project.start(project.asked);
  await page.locator(`#confirming-${asked}`).getByRole("button", { name: "Approve" }).click();
  await page.locator(`#confirming-${asked}`).waitFor({ state: "detached" });
  assert.match(page.url(), /\/history$/);
  const broken = await project.start(project.broken);
  await page.locator("#overview-failed > summary").click();
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

Deno.test("filters show their values immediately, and rows are one line high", async () => {
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

  await page.locator(".filter-fields > summary").click();
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
  for (const height of await heightsOf(phone.page)) assert.ok(height <= 120, String(height));
  const template = phone.page.getByLabel("Template", { exact: true });
  const trigger = phone.page.getByLabel("Trigger", { exact: true });
  assert.ok(await trigger.isHidden(), "the other fields are folded");
  await phone.page.locator(".filter-fields > summary").click();
  await trigger.selectOption({ label: "Manual" });
  await assertFitsWidth(phone.page);
  await template.selectOption({ label: "Asked" });
  await phone.page.getByRole("button", { name: "Apply" }).click();
  await phone.page.getByText("No task matches: Template: Asked, Trigger: Manual").waitFor();
  assert.ok(await trigger.isHidden());
  await phone.page.getByRole("link", { name: "Remove filter Trigger: Manual" }).click();
  await phone.page.getByText("No task matches: Template: Asked").waitFor();
  assert.doesNotMatch(phone.page.url(), /trigger=/);
  await phone.page.goto(`/project/${project.id}/activity?kind=task`);
  await assertFitsWidth(phone.page);
  await phone.page.getByRole("link", { name: `#${good} Slow` }).waitFor();
});

/** A clock that runs, because the browser's does. */
const realClock = { now: () => new Date(), ticks: () => performance.now() };

const SCREENS = [{ width: 1280, height: 900 }, { width: 390, height: 844 }];

Deno.test("the history starts on the first screen, and states open in place and stay open", async () => {
  await using world = await newWorld({ deps: { clock: realClock } });
  const busy = await makeBusyDashboard(world);
  await using visit = await lookAt(world, "alice", { viewport: SCREENS[0] });
  const { page, problems } = visit;
  await page.goto(`/project/${world.web.id}/history`);
  await isQuiet(page);
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    const { y } = (await page.locator("#history-tasks > tr").first().boundingBox())!;
    const table = (await page.locator("#history-tasks").locator("..").boundingBox())!;
    if (viewport.width === 1280) assert.ok(table.y <= 330, `the history begins at ${table.y} px`);
    assert.ok(y < viewport.height - 48, `the first row is at ${y} px`);
    await assertFitsWidth(page);
    await page.locator("#overview-confirming > summary").click();
    const confirm = page.locator("#overview-confirming").getByRole("button", { name: "Approve" });
    assert.equal(await confirm.filter({ visible: true }).count(), busy.confirming.length);
    await page.locator("#overview-confirming > summary").click();
  }
  await page.setViewportSize(SCREENS[0]);
  const coming = page.locator("#overview-coming > summary time");
  const before = await coming.textContent();
  await page.waitForFunction(
    (text) => document.querySelector("#overview-coming time")!.textContent !== text,
    before,
  );

  const head = page.locator("#overview-waiting > summary");
  await head.press("Enter");
  await page.getByText(/^4 tasks wait behind #\d+, #\d+ \(project limit: 2\)$/).waitFor();
  const list = (await page.locator("#overview-waiting ul").boundingBox())!;
  assert.ok(list.width > 900, "the list has the width of the strip");
  assert.ok(list.y > (await head.boundingBox())!.y + 24, "the list is below the strip");
  await assertAccessible(page);

  // Its schedule fails, too, which the drawer says.
  const [first] = busy.running;
  const [schedule] = busy.schedules;
  await busy.belongsTo(first, schedule);
  const end = new Date().toISOString();
  const ended = await advance(world.kv, { id: first, project_id: world.web.id }, "error", { end });
  taskChanged(world.deps, ended);
  await page.getByRole("link", { name: "Schedules (1 failing schedule)" }).waitFor();
  await page.locator("#overview-failed h2", { hasText: "17 failed" }).waitFor();
  assert.ok(
    await head.evaluate((element) => element === document.activeElement),
    "keeps the focus",
  );
  const waiting = page.locator(`#waiting-${busy.waiting[0]}`);
  assert.ok(await waiting.isVisible(), "stays open");
  await page.locator("#overview-failed > summary").click();
  assert.ok(await waiting.isHidden(), "one list at a time");
  await page.locator(`#failing-${schedule}`).getByRole("img", { name: "Failing" }).waitFor();
  await page.locator("#overview-coming > summary").click();
  await page.locator(`#coming-${schedule} .text-danger`).first().waitFor();
  await assertAccessible(page);
  assert.deepEqual(problems, []);

  await using plain = await lookAt(world, "alice", {
    viewport: SCREENS[1],
    javaScriptEnabled: false,
    colorScheme: "dark",
  });
  await plain.page.goto(`/project/${world.web.id}/history`);
  const { y } = (await plain.page.locator("#history-tasks > tr").first().boundingBox())!;
  assert.ok(y < SCREENS[1].height, `without a script the first row is at ${y} px`);
  await plain.page.locator("#overview-failed > summary").click();
  await plain.page.locator(`#failing-${schedule}`).getByRole("link", { name: `#${first}` })
    .waitFor();
  await assertFitsWidth(plain.page);

  // The buttons have their longest labels in Russian.
  const narrow = { viewport: { width: 360, height: 740 }, locale: "ru", javaScriptEnabled: false };
  await using russian = await lookAt(world, "alice", narrow);
  await russian.page.goto(`/project/${world.web.id}/history`);
  await assertFitsWidth(russian.page);
});
