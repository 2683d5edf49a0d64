import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, lookAt, newStage, type Stage } from "@/tests/support/browser/browser.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Makes the stand-in of Ansible print a line. */
const SETTINGS = { callboard_stand_in_echo: "all is well" };

/** Creates a project with a template "Greet". */
async function makeProject({ server: { api } }: Stage, folder: string) {
  await Deno.writeTextFile(join(folder, "site.yml"), "");
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await api("POST", path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const id = await make("/api/projects", { name: "Live" });
  const path = `/api/project/${id}`;
  const name = "Greet";
  const ssh_key_id = await make(`${path}/keys`, { name, type: "none" });
  const template_id = await make(`${path}/templates`, {
    name,
    playbook: "site.yml",
    repository_id: await make(`${path}/repositories`, { name, git_url: folder, ssh_key_id }),
    inventory_id: await make(`${path}/inventory`, {
      name,
      type: "static",
      inventory: "localhost\n",
      ssh_key_id,
    }),
    environment_id: await make(`${path}/environment`, { name, json: JSON.stringify(SETTINGS) }),
  });
  return { id, start: () => make(`${path}/tasks`, { template_id, message: "<b>Hi</b>" }) };
}

const isSame = (page: Page) => page.evaluate(() => "isSame" in globalThis);
const markPage = (page: Page) =>
  page.evaluate(() => void Object.assign(globalThis, { isSame: true }));

/** Creates a project with one finished run, and opens its history. */
async function newLivePage() {
  const stage = await newStage("stand-in");
  const folder = await Deno.makeTempDir({ prefix: "callboard_live_" });
  const project = await makeProject(stage, folder);
  const { page, problems } = await stage.open();
  await page.goto(`/project/${project.id}/history`);
  await markPage(page);
  return {
    project,
    page,
    problems,
    server: stage.server,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("runs come into a history that is looked at, move on, and are read out", async () => {
  await using live = await newLivePage();
  const { project, page, problems } = live;
  const first = await project.start();
  const row = page.locator(`#task-${first}`);
  await row.waitFor();
  await row.getByText("Success").waitFor();
  assert.equal(await row.locator("b").count(), 0);
  const second = await project.start();
  await page.locator(`#task-${second}`).getByText("Success").waitFor();
  assert.deepEqual(
    await page.locator("#history-tasks > tr").evaluateAll((rows) => rows.map(({ id }) => id)),
    [`task-${second}`, `task-${first}`],
  );
  await page.locator("#live-page [role=status]").getByText(`#${second} Greet: Success`)
    .waitFor();
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);

  // Changes during an interruption are shown afterwards.
  await page.context().setOffline(true);
  const missed = await project.start();
  await page.waitForTimeout(500);
  await page.context().setOffline(false);
  await page.locator(`#task-${missed}`).getByText("Success").waitFor();
  assert.ok(await isSame(page));
});

Deno.test("a list counts anew, and drops a task that was deleted", async () => {
  await using live = await newLivePage();
  const { project, page, server } = live;
  const tasks = [await project.start(), await project.start()];
  await page.getByText("1–2 of 2").waitFor();
  for (const task of tasks) await page.locator(`#task-${task}`).getByText("Success").waitFor();
  tasks.push(await project.start());
  await page.getByText("1–3 of 3").waitFor();
  await server.api("DELETE", `/api/project/${project.id}/tasks/${tasks[0]}`);
  await page.locator(`#task-${tasks[0]}`).waitFor({ state: "detached" });
  await page.getByText("1–2 of 2").waitFor();
  assert.ok(await isSame(page));
});

Deno.test("rows that new ones push out of a list are on its next page", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const path = `/project/${web.id}`;
  const start = async () => {
    await world.api("bob", "POST", `/api${path}/tasks`, { template_id: deploy.id });
  };
  for (let n = 0; n < 20; n++) await start();
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  const older = page.getByRole("link", { name: "Older" });
  const rows = () =>
    page.locator(`tr[id^="task-"], tr[id^="event-"]`)
      .evaluateAll((rows) => rows.map(({ id }) => id));
  for (const list of ["history", "activity", `templates/${deploy.id}`]) {
    await page.goto(`${path}/${list}`);
    const before = await rows();
    assert.equal(before.length, 20, list);
    for (let n = 0; n < 3; n++) await start();
    await page.waitForFunction((id) => !document.getElementById(id), before.at(-3)!);
    await page.waitForFunction(() => document.querySelector("#pages a"));
    const first = await rows();
    assert.equal(first.length, 20, list);
    await older.click();
    await page.waitForURL(/before=/);
    assert.deepEqual((await rows()).slice(0, 3), before.slice(-3), list);
  }
  assert.deepEqual(problems, []);
});

Deno.test("a task that the palette finds opens over the page that one is on", async () => {
  await using live = await newLivePage();
  const { project, page, problems } = live;
  const task = await project.start();
  await page.locator(`#task-${task}`).getByText("Success").waitFor();
  await page.goto(`/project/${project.id}/keys`);
  await page.locator("[data-awake]").waitFor({ state: "attached" });
  await markPage(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill(`#${task}`);
  await page.getByRole("option", { name: `#${task} Greet` }).click();
  await page.getByRole("dialog").getByText("all is well").waitFor();
  assert.equal(
    await page.getByRole("heading", { name: "Key Store", includeHidden: true }).count(),
    1,
  );
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(new URL(page.url()).pathname, `/project/${project.id}/keys`);
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

Deno.test("a log opens over the history; Back, Escape and the cross close it", async () => {
  await using live = await newLivePage();
  const { project, page, problems } = live;
  await project.start();
  await page.locator("#history-tasks").getByText("Success").waitFor();
  const link = page.locator("#history-tasks a").first();
  const open = async () => {
    await link.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("all is well").waitFor();
    await dialog.getByRole("log").waitFor();
    assert.match(page.url(), /\?t=\d+$/);
    return dialog;
  };
  const closed = async () => {
    await page.getByRole("dialog").waitFor({ state: "detached" }).catch(() => {});
    await page.waitForFunction(() => !document.querySelector("dialog")!.open);
    assert.doesNotMatch(page.url(), /t=/);
    assert.ok(await link.evaluate((element) => element === document.activeElement));
    assert.equal(await page.locator("#over *").count(), 0);
  };
  await open();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await closed();
  const dialog = await open();
  await dialog.getByTitle("Close").click();
  await closed();
  await open();
  await page.goBack();
  await closed();
  await page.goForward();
  await page.getByRole("dialog").getByText("all is well").waitFor();
  await page.goBack();
  await closed();
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

Deno.test("a log that the page came with closes to the page below", async () => {
  await using live = await newLivePage();
  const { project, page, problems } = live;
  const task = await project.start();
  await page.goto(`/project/${project.id}/history?t=${task}`);
  await markPage(page);
  await page.getByRole("dialog").getByText("all is well").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/history(#task-\d+)?$/);
  assert.ok(await isSame(page));
  await page.getByRole("link", { name: "Activity" }).click();
  await page.waitForURL(/\/activity$/);
  assert.deepEqual(problems, []);
});
