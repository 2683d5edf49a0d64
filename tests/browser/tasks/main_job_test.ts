import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  newStage,
} from "@/tests/support/browser/browser.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Time limit of a step on a busy machine. */
const PATIENCE = { timeout: 60_000 };

/** Creates the demo project as a person does, who need not type a name. Returns its address. */
async function createDemoProject(page: Page): Promise<string> {
  await page.goto("/project/new");
  await page.getByRole("button", { name: "Create Demo Project" }).click();
  await page.waitForURL(/\/project\/\d+\/history/);
  return new URL(page.url()).pathname.replace("/history", "");
}

/** Starts the template with that name from the list. The log is open afterwards. */
async function startTemplate(page: Page, project: string, name: string): Promise<void> {
  await page.goto(`${project}/templates`);
  await page.getByRole("row", { name }).getByRole("link", {
    name: new RegExp(`^(Run|Build|Deploy) ${name}`),
  }).click();
  await page.getByRole("button", { name: /^(Run|Build|Deploy)\b/ }).click();
  await page.waitForURL(/\?t=\d+/);
}

const isPing = ({ name }: { name: string }) => name === "Ping Site";

const PHONE = { width: 390, height: 800 };
const SMALL_PHONE = { width: 360, height: 640 };

const status = (page: Page, text: string) =>
  page.getByRole("dialog").getByRole("status").filter({ hasText: text }).waitFor(PATIENCE);

Deno.test("a person creates the demo project, runs a task and watches its lines arrive", async (t) => {
  await using stage = await newStage();
  const ids = async (kind: string): Promise<number[]> => {
    const { body } = await stage.server.api("GET", `/api${project}/${kind}`);
    return body.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b);
  };
  let project = "";
  let task = 0;
  async function stopLatest() {
    const path = `/api${project}/tasks/${(await ids("tasks")).at(-1)}/stop`;
    assert.equal((await stage.server.api("POST", path, { force: true })).status, 204);
  }

  await t.step("with a script: lines come before the end, and the page follows", async () => {
    await using visit = await stage.open();
    const { page, problems } = visit;
    project = await createDemoProject(page);
    await startTemplate(page, project, "Build");
    const log = page.getByRole("log");
    await log.getByText("PLAY [").first().waitFor(PATIENCE);
    await assertRunning(page);
    await status(page, "Success");
    await log.getByText("PLAY RECAP").waitFor(PATIENCE);
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.search.includes("t="));
    assert.deepEqual(problems, []);
    await until(async () => (await ids("tasks")).length === 2); // It is deployed automatically.
    [task] = await ids("tasks");
    // Each deployment takes ten times as much CPU as a page, and the whole site twice as much.
    const { body } = await stage.server.api("GET", `/api${project}/templates`);
    for (const template of body) {
      const path = `/api${project}/templates/${template.id}`;
      const task_params = isPing(template) ? { limit: ["db1.prod"] } : null;
      const changed = { ...template, autorun: false, task_params };
      assert.equal((await stage.server.api("PUT", path, changed)).status, 204);
    }
    await stopLatest();
  });

  await t.step("words stay whole in tables, and a log ends where the window does", async () => {
    await using visit = await stage.open({ viewport: { width: 1280, height: 800 } });
    const { page } = visit;
    await page.goto(`${project}/templates`);
    const lines = await page.locator("td code").evaluateAll((cells) =>
      cells.map((cell) => cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight))
    );
    assert.ok(lines.every((count) => count < 2), `the playbooks' names take ${lines} lines`);
    await page.goto(`${project}/templates?t=${task}`);
    const box = await page.getByRole("log").boundingBox();
    assert.ok(box!.height > 300 && box!.y + box!.height < 800, JSON.stringify(box));
  });

  await t.step(
    "the results of a host are beside the output, with and without a script",
    async () => {
      for (const javaScriptEnabled of [true, false]) {
        await using visit = await stage.open({ javaScriptEnabled });
        const { page } = visit;
        await page.goto(`${project}/tasks/${task}`);
        await page.locator("#task-tab-hosts").click();
        await page.getByRole("row", { name: "localhost" }).getByRole("link").click();
        const line = page.getByRole("link", { name: /^Line \d+$/ }).last();
        const [, number] = (await line.getAttribute("href"))!.split("#L");
        await line.click();
        const text = await page.locator(`#L${number}`).textContent();
        assert.match(text ?? "", /\[localhost\]/);
      }
    },
  );

  await t.step("Escape leads back to the row that the log was opened from", async () => {
    await using visit = await stage.open();
    const { page } = visit;
    await page.goto(`${project}/history`);
    await isAlive(page);
    const name = `#${task}`;
    await page.locator(`#task-${task}`).getByRole("link", { name, exact: true }).click();
    await page.locator(".log-tools:not(.log-tools-unready)").waitFor(PATIENCE);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.search.includes("t="));
    await page.waitForFunction((name) => document.activeElement?.textContent === name, name);
  });

  await t.step("a task is stopped", async () => {
    await using visit = await stage.open();
    const { page } = visit;
    await startTemplate(page, project, "Build");
    await page.getByRole("log").getByText("PLAY [").first().waitFor(PATIENCE);
    await page.getByRole("button", { name: "Stop" }).click();
    await status(page, "Stopped");
  });

  await t.step("an integration is made, and its first address copied", async () => {
    await using visit = await stage.open({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = visit;
    await page.goto(`${project}/integration/new`);
    await page.getByLabel("Name").fill("Git push");
    await page.getByLabel("Task template to run").selectOption("Build");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: /^Copy http/ }).click();
    await page.getByText("The alias URL has been copied to the clipboard.").waitFor(PATIENCE);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(
      copied,
      await page.locator("code", { hasText: "/api/integrations/" }).textContent(),
    );
    assert.equal((await fetch(copied)).status, 200);
    // The log of a build is shown by other steps.
    await stopLatest();
  });

  await t.step("without JavaScript: the page is sent as the lines come", async () => {
    await using visit = await stage.open({ javaScriptEnabled: false });
    const { page } = visit;
    await startTemplate(page, project, "Ping Site");
    const link = page.getByRole("link", { name: "Open as a page" }).first();
    const address = await link.getAttribute("href");
    await page.goto(address!, { waitUntil: "commit" });
    await page.getByRole("log").getByText("TASK [").first().waitFor(PATIENCE);
    await page.getByRole("log").getByText("PLAY RECAP").waitFor(PATIENCE);
    await page.getByRole("log").getByText("Success").waitFor(PATIENCE);
  });

  await t.step(
    "every page fits and is accessible, on a desk and a small phone in the dark",
    async () => {
      await using visit = await stage.open();
      const { page, problems } = visit;
      const desk = page.viewportSize()!;
      const session = await page.context().newCDPSession(page);
      const touch = (enabled: boolean) =>
        session.send("Emulation.setTouchEmulationEnabled", { enabled });
      for (
        const path of pagesOf(project, task, await ids("templates"), await ids("integrations"))
      ) {
        await openPage(page, path);
        await assertFitsWidth(page);
        await openFirstOperations(page);
        await assertAccessible(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await assertFitsWidth(page);
        await touch(true);
        for (const size of [PHONE, SMALL_PHONE]) {
          await page.setViewportSize(size);
          await assertFitsWidth(page);
        }
        await assertAccessible(page);
        await touch(false);
        await page.setViewportSize(desk);
        await page.emulateMedia({ colorScheme: "light" });
      }
      assert.deepEqual(problems, []);
    },
  );

  await t.step(
    "the theme that was chosen stays, also where the system says otherwise",
    async () => {
      await using visit = await stage.open({ colorScheme: "light" });
      const { page } = visit;
      await page.goto(`${project}/history`);
      const background = () =>
        page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor);
      const light = await background();
      await page.getByRole("button", { name: "Dark", exact: true }).click();
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      assert.notEqual(await background(), light);
      await page.reload();
      assert.notEqual(await background(), light);
    },
  );

  await t.step("the keyboard alone gets from the first page to a running task", async () => {
    await using visit = await stage.open();
    const { page } = visit;
    await page.goto(`${project}/templates`);
    await pressTabUntil(page, "Build");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/templates\/\d+$/);
  });
});

async function assertRunning(page: Page) {
  const shown = await page.getByRole("dialog").getByRole("status").first().textContent();
  assert.match(shown ?? "", /Running|Starting/, "lines arrive before the task has ended");
}

async function pressTabUntil(page: Page, name: string) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (focused === name) return;
  }
  assert.fail(`Tab never came to "${name}"`);
}

/** Returns the addresses of a project's pages, with the two templates of the demo project. */
function pagesOf(
  project: string,
  task: number,
  [build, deploy]: number[],
  [integration]: number[],
): string[] {
  const below = [
    ["/history", "/activity", "/settings", "/templates", "/templates/new/edit"],
    [`/templates/${build}`, `/templates/${build}/edit`, `/templates?open=${build}`],
    [`/templates/${deploy}/tasks`, `/templates/${deploy}/delete`, `/templates?t=${task}`],
    ["/templates?sort=inventory&order=desc", "/views"],
    [`/tasks/${task}`, "/inventory", "/inventory/new", "/environment", "/environment/new"],
    ["/keys", "/keys/new", "/repositories", "/repositories/new"],
    ["/integrations", "/integration/new"],
    ["", "/deliveries/1", "/matchers/new", "/values/new", "/delete"].map((path) =>
      `/integration/${integration}${path}`
    ),
  ].flat();
  return ["/project/new", "/api/docs", ...below.map((path) => project + path)];
}

async function openPage(page: Page, path: string): Promise<void> {
  const response = await page.goto(path);
  assert.equal(response?.status(), 200, path);
}

/**
 * Leaves the first operation of some groups on the page of the API, and opens it. All of them have
 * the same parts, and axe takes as long for hundreds of them as for all other pages.
 */
const openFirstOperations = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const operation of document.querySelectorAll<HTMLDetailsElement>(".api-operation")) {
      if (operation.matches("details ~ details, section:nth-of-type(n + 7) > *")) {
        operation.remove();
      } else operation.open = true;
    }
  });
