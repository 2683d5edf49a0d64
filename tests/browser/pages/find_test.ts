import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  newStage,
  type Stage,
} from "@/tests/support/browser/browser.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

/** Creates a project with two templates, and three hosts in an inventory. */
async function makeProject({ server: { api } }: Stage) {
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await api("POST", path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const id = await make("/api/projects", { name: "Web shop" });
  const path = `/api/project/${id}`;
  const ssh_key_id = await make(`${path}/keys`, { name: "None", type: "none" });
  const git = { name: "Plays", git_url: "https://git.example.com/plays.git", git_branch: "main" };
  const repository_id = await make(`${path}/repositories`, { ...git, ssh_key_id });
  const inventory = "[web]\nweb1.example.com\nweb2.example.com\nweb3.example.com\n";
  const hosts = { name: "Production", type: "static", inventory, ssh_key_id };
  const inventory_id = await make(`${path}/inventory`, hosts);
  const template = { playbook: "site.yml", repository_id, inventory_id };
  const deploy = await make(`${path}/templates`, { ...template, name: "Deploy shop" });
  await make(`${path}/templates`, { ...template, name: "Archive logs" });
  return { id, deploy, page: `/project/${id}` };
}

/** Waits until the page reacts to keys. */
const awake = (page: Page) => page.locator("[data-awake]").waitFor({ state: "attached" });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
const field = (page: Page) => page.getByRole("combobox", { name: "Search" });
const chosen = (page: Page) => page.locator(".palette [aria-selected=true]");

/** Opens a page of the project, or waits until it is open. */
const walk = (page: Page, project: { page: string }) => ({
  async at(path: string) {
    await page.waitForURL((url) => url.pathname === project.page + path);
    await awake(page);
  },
  async goTo(path: string) {
    await page.goto(project.page + path);
    await awake(page);
  },
});

Deno.test("the palette opens on its keys and its field, arrows choose, Enter opens, and what was opened comes first", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open();
  await page.goto(`${project.page}/keys`);
  await awake(page);
  const search = page.locator(".drawer-search");
  await search.focus();
  for (const open of ["Control+k", "/"]) {
    await page.keyboard.press(open);
    await field(page).waitFor();
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    assert.match((await focused(page))!, /^Search/);
  }
  await search.click();
  assert.equal(await field(page).inputValue(), "");
  await page.getByRole("option", { name: "Key Store" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(new URL(page.url()).pathname, `${project.page}/keys`);

  await page.keyboard.press("Control+k");
  await field(page).fill("WEB");
  await page.getByRole("option", { name: "web2.example.com" }).waitFor();
  await assertAccessible(page);
  const id = await chosen(page).getAttribute("id");
  assert.equal(await field(page).getAttribute("aria-activedescendant"), id);
  assert.match((await chosen(page).textContent())!, /^web1/);
  await page.keyboard.press("ArrowUp");
  assert.match((await chosen(page).textContent())!, /WEB/, "the last one, which searches for it");
  for (let n = 0; n < 2; n++) await page.keyboard.press("ArrowDown");
  assert.match((await chosen(page).textContent())!, /^web2/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/inventory\/\d+$/);
  await awake(page);
  await page.keyboard.press("Control+k");
  assert.match((await chosen(page).textContent())!, /^web2/);
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
});

Deno.test("in the palette the latest input wins, however late the answers to the others come", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open();
  await page.goto(`${project.page}/keys`);
  await awake(page);
  await page.route(/\/search\?q=dep&/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {}); // The page has aborted it.
  });
  await page.keyboard.press("Control+k");
  await field(page).fill("dep");
  await page.waitForTimeout(250);
  await field(page).fill("archive");
  await page.getByRole("option", { name: "Archive logs" }).waitFor();
  await page.waitForTimeout(800);
  assert.equal(await page.getByRole("option", { name: "Deploy shop" }).count(), 0);
  // If Enter comes before the answer, it opens the answer's first result.
  await field(page).pressSequentially(" logs");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/templates\/\d+$/);
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Archive logs");

  await awake(page);
  await page.keyboard.press("/");
  await field(page).fill("deploy");
  await page.getByRole("option", { name: "Deploy shop" }).click();
  await page.waitForURL(`${project.page}/templates/${project.deploy}`);
  assert.deepEqual(problems, []);
});

Deno.test("in the palette a template is one row, with a second action that runs it", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open();
  const { goTo } = walk(page, project);
  const form = page.getByRole("dialog", { name: "Deploy shop" });
  const search = async (text: string) => {
    await page.keyboard.press("Control+k");
    await field(page).fill(text);
    await page.locator(".palette-run").waitFor();
  };
  await goTo("/keys");
  await isAlive(page);
  await search("shop");
  const option = page.getByRole("option", { name: /Deploy shop/ });
  assert.equal(await option.count(), 1);
  await assertAccessible(page);
  assert.equal(
    await option.evaluate((row) =>
      document.getElementById(row.getAttribute("aria-describedby")!)!.textContent
    ),
    "Run Deploy shop (Shift+Enter)",
  );
  await page.keyboard.press("Shift+Enter");
  await form.waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });

  await page.keyboard.press("Control+k");
  assert.match((await chosen(page).textContent())!, /^Deploy shop/, "the template is remembered");
  await page.locator(".palette-run").click();
  await form.waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("in the palette a match is visible in a name that is cut off", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const name = `${"Roll out a very long configuration ".repeat(2)}to the kiosks`;
  const item = `/api${project.page}/templates/${project.deploy}`;
  const { body } = await stage.server.api("GET", item);
  const playbook = "playbooks/of/the/web/servers/for/kiosks.yml";
  const { status } = await stage.server.api("PUT", item, { ...body, name, playbook });
  assert.equal(status, 204);
  const { page } = await stage.open(PHONE);
  const { goTo } = walk(page, project);
  await goTo("/keys");
  await page.keyboard.press("Control+k");
  const cut = page.locator(`.palette-name[title="${name}"]`);
  for (const [text, start] of [["kiosk", "…"], ["roll out", "Roll out"]]) {
    await field(page).fill(text);
    await cut.locator("mark").first().waitFor();
    const visible = cut.locator("[aria-hidden]").or(cut).last();
    assert.ok((await visible.textContent())!.startsWith(start), text);
    const hidden = await page.locator(".palette-row span[title] mark:first-of-type").evaluateAll(
      (marks) =>
        marks.filter((mark) =>
          mark.getBoundingClientRect().right >
            mark.closest("[title]")!.getBoundingClientRect().right
        ).map(({ textContent }) => textContent),
    );
    assert.deepEqual(hidden, [], text);
    await assertAccessible(page);
  }
  assert.equal(await page.getByRole("option", { name }).count(), 1, "its name is read in full");
});

Deno.test("a palette that cannot be loaded leads to the search", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page } = await stage.open();
  await page.route(/PaletteDialog/, (route) => route.abort());
  await walk(page, project).goTo("/keys");
  await page.keyboard.press("Control+k");
  await page.waitForURL(/\/search$/);
});

Deno.test("without a script the search is a page that finds the same", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page } = await stage.open({ ...PHONE, javaScriptEnabled: false });
  await page.goto(`${project.page}/keys`);
  await page.getByRole("link", { name: "Search" }).first().click();
  await page.getByRole("searchbox").fill("web");
  await page.getByRole("button", { name: "Search" }).click();
  assert.equal(await page.locator("#found-hosts li").count(), 3);
  await page.getByRole("link", { name: "web3.example.com" }).click();
  assert.match(page.url(), /\/inventory\/\d+$/);
});

Deno.test("on a phone, in the dark, the search is accessible and as wide as the phone", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open(PHONE);
  for (const query of ["", "?q=web", "?q=web&kind=hosts", "?q=nothing-like-it"]) {
    await page.goto(`${project.page}/search${query}`);
    await assertAccessible(page);
    await assertFitsWidth(page);
  }
  await page.getByRole("searchbox").fill("deploy");
  await page.locator("#found-templates").getByText("Deploy").waitFor();
  await page.waitForURL(/q=deploy/);
  await awake(page);
  await page.locator(".topbar-search").click();
  await field(page).fill("deploy");
  await page.getByRole("option", { name: "Deploy shop" }).waitFor();
  await assertAccessible(page);
  await assertFitsWidth(page);
  assert.deepEqual(problems, []);
});

Deno.test("single keys lead through a project, and never while one types", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open();
  const { at, goTo } = walk(page, project);
  await goTo("");
  for (const [key, path] of [["t", "/templates"], ["i", "/inventory"], ["k", "/keys"]]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await at(path);
  }
  await goTo("/templates");
  const names: (string | undefined)[] = [];
  for (const key of ["j", "j", "k", "j"]) {
    await page.keyboard.press(key);
    names.push(await focused(page));
  }
  assert.deepEqual(names, ["Archive logs", "Deploy shop", "Archive logs", "Deploy shop"]);
  await page.keyboard.press("Enter");
  await at(`/templates/${project.deploy}`);
  await goTo("/keys");
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Key name" }).waitFor();

  const name = page.getByRole("textbox", { name: "Key name" });
  await name.pressSequentially("gt/?n");
  assert.equal(await name.inputValue(), "gt/?n");
  assert.equal(await page.locator(".palette").count(), 0);
  await goTo("/keys");
  for (const key of ["Control+g", "Alt+t", "Control+/"]) await page.keyboard.press(key);
  await page.waitForTimeout(200);
  assert.equal(new URL(page.url()).pathname, `${project.page}/keys`);
  assert.equal(await page.locator(".palette").count(), 0);
  assert.deepEqual(problems, []);
});

Deno.test("shortcuts are listed on a key and by a link, and can be disabled", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page, problems } = await stage.open();
  const { goTo } = walk(page, project);
  await goTo("/keys");
  await isAlive(page);

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(new URL(page.url()).pathname, `${project.page}/keys`);
  await page.locator(".drawer-account").click();
  await page.getByRole("link", { name: "Keyboard shortcuts" }).click();
  await dialog.waitFor();

  await page.getByRole("button", { name: "Turn off single-key shortcuts" }).click();
  await page.getByRole("button", { name: "Turn on single-key shortcuts" }).waitFor();
  await goTo("/keys");
  for (const key of ["?", "/", "n", "g", "t"]) await page.keyboard.press(key);
  await page.waitForTimeout(300);
  assert.equal(new URL(page.url()).pathname, `${project.page}/keys`);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a folded group of sections stays folded on the next page, and its keys still lead there", async () => {
  await using stage = await newStage("stand-in");
  const project = await makeProject(stage);
  const { page } = await stage.open();
  const { goTo, at } = walk(page, project);
  await goTo("/templates");
  const group = (name: string) => page.locator(`[data-fold=${name}]`);
  await group("set_up").locator("summary").click();
  await group("fleet").locator("summary").press("Enter");
  await goTo("/inventory");
  assert.equal(await group("set_up").getAttribute("open"), null);
  assert.notEqual(await group("fleet").getAttribute("open"), null, "it has the page");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await at("/alerts");
  assert.ok(await group("set_up").getByText("Alerts").isVisible());
});
