import assert from "node:assert/strict";
import { paths } from "@/lib/base/paths.ts";
import type { Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Elements of a page that a slow computer shows and changes without a delay that people notice. */
const ELEMENTS_MAX = 3_000;
const SCRIPTS_MAX = 6;

/** Creates a project with 500 templates, and opens a browser for Alice. */
async function newLongList() {
  const world = await newWorld();
  const templates = await addTemplates(world, 499);
  const visit = await lookAt(world, "alice");
  return {
    ...visit,
    templates,
    projectId: world.web.id,
    list: paths.templates(world.web.id, null),
    async [Symbol.asyncDispose]() {
      await visit[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const countElements = (page: Page) => page.locator("*").count();
const rowsOf = (page: Page) => page.locator("#templates tbody > tr");
const filterOf = (page: Page) => page.getByRole("searchbox", { name: "Filter" });

/** Notes which rows are merged: merging reads the children of the row that comes. */
const noteMerges = (page: Page) =>
  page.addInitScript(() => {
    const merged = new Set<string>();
    const { get } = Object.getOwnPropertyDescriptor(Node.prototype, "childNodes")!;
    Object.defineProperty(Node.prototype, "childNodes", {
      get() {
        if (this instanceof HTMLElement && this.localName === "tr") merged.add(this.id);
        return get!.call(this);
      },
    });
    Object.assign(globalThis, { merged });
  });

/** Counts the rows that are removed one by one while their list is in the document. */
const noteRemovals = (page: Page) =>
  page.addInitScript(() => {
    const removed = { rows: 0 };
    const { removeChild } = Node.prototype;
    const { remove } = Element.prototype;
    const note = (node: Node) =>
      void (removed.rows += Number(node instanceof HTMLTableRowElement && node.isConnected));
    Node.prototype.removeChild = function <T extends Node>(child: T): T {
      note(child);
      return removeChild.call(this, child) as T;
    };
    Element.prototype.remove = function () {
      note(this);
      remove.call(this);
    };
    Object.assign(globalThis, { removed });
  });

/** Returns the rows that were merged since the last call. */
const mergedRows = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { merged } = globalThis as unknown as { merged: Set<string> };
    const ids = [...merged];
    merged.clear();
    return ids;
  });

Deno.test("a list of 500 templates has few elements, and the filter merges only rows that change", async () => {
  await using lists = await newLongList();
  const { page, problems, templates, list } = lists;
  await noteMerges(page);
  await page.goto(list);
  await isQuiet(page);
  assert.ok(await countElements(page) < ELEMENTS_MAX, `${await countElements(page)} elements`);
  await assertAccessible(page);
  assert.equal(await rowsOf(page).count(), 50);

  await mergedRows(page);
  await filterOf(page).pressSequentially("temp");
  await page.getByText("499 of 500").waitFor();
  await isQuiet(page);
  assert.equal(await rowsOf(page).first().getAttribute("id"), `template-${templates[0].id}`);
  assert.deepEqual(await mergedRows(page), [], "49 rows stay, and one is new");
  const disclosure = rowsOf(page).first().getByRole("link", { name: "Last tasks" });
  assert.match((await disclosure.getAttribute("href"))!, /\?q=temp&open=/);

  const last = templates.at(-1)!;
  await filterOf(page).fill(last.name);
  await page.getByText("1 of 500").waitFor();
  assert.equal(await rowsOf(page).getAttribute("id"), `template-${last.id}`);
  assert.deepEqual(problems, []);
});

Deno.test("pages of a long list follow each other in place, and all rows come when asked for", async () => {
  await using lists = await newLongList();
  const { page, problems, templates, list } = lists;
  await noteRemovals(page);
  await page.goto(list);
  await isQuiet(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("51–100 of 500").waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0, "a page is read from its top");
  await page.keyboard.press("j");
  const name = templates[49].name;
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), name);
  await rowsOf(page).first().getByRole("link", { name: "Last tasks" }).click();
  await page.locator(".row-below").waitFor();
  assert.match(page.url(), /[?&]page=2(&|$)/);
  await page.goBack();
  await page.getByText("1–50 of 500").waitFor();

  await page.getByRole("link", { name: "Show all 500" }).click();
  await page.getByText("1–500 of 500").waitFor();
  assert.equal(await rowsOf(page).count(), 500);
  await filterOf(page).pressSequentially("t");
  await page.getByText("499 of 500").waitFor();
  assert.equal(await rowsOf(page).count(), 50);
  const slow = await page.evaluate(() =>
    (globalThis as unknown as { removed: { rows: number } }).removed.rows
  );
  // The two pages before had 50 rows each.
  assert.ok(slow < 200, `${slow} rows of the list were removed one by one`);
  await filterOf(page).fill("");
  await page.getByText("500 templates").waitFor();
  await page.getByRole("link", { name: "Show all 500" }).click();
  await page.getByRole("link", { name: "Show fewer" }).click();
  await page.getByText("1–50 of 500").waitFor();
  assert.ok(await page.evaluate(() => "isSame" in globalThis));
  assert.deepEqual(problems, []);
});

Deno.test("the scripts of each page are few files", async () => {
  await using lists = await newLongList();
  const { page, projectId, templates: [template], list } = lists;
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  const project = `/project/${projectId}`;
  const task = await page.request.get(`/api${project}/tasks/last`).then((answer) => answer.json());
  for (
    const path of [
      ...["/history", "/hosts", "/inventory/new"].map((path) => project + path),
      ...[list, `${list}?t=${task[0].id}`, paths.editTemplate(projectId, template.id)],
      paths.startTask(projectId, template.id),
    ]
  ) {
    scripts.clear();
    await page.goto(path);
    await isQuiet(page);
    assert.ok(scripts.size > 0 && scripts.size <= SCRIPTS_MAX, `${path}: ${[...scripts]}`);
  }
});
