import assert from "node:assert/strict";
import { getTasks } from "@/lib/model/tasks.ts";
import { OPTIONAL_COLUMNS } from "@/lib/templates/list.ts";
import type { BrowserContextOptions, Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, assertFitsWidth, newContexts } from "@/tests/support/browser/browser.ts";
import { repositoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { serveWorld } from "@/tests/support/world/serve_world.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Longer than any column, without a position to break it at. */
const LONG = "the_name_that_somebody_made_far_too_long_because_nobody_said_what_is_too_long".repeat(
  2,
);
const ENDS = ["success", "error", "stopped"] as const;

/** Fills lists with everything that makes rows high: long names, every status, people and times. */
async function fill(world: World): Promise<void> {
  const api = `/api/project/${world.web.id}`;
  const make = async (path: string, body: unknown) => {
    const answer = await world.api("alice", "POST", api + path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { ssh_key_id, ...repository } = repositoryForm(world);
  const git_url = `https://git.example.com/${LONG}.git`;
  await make("/repositories", { ...repository, name: LONG, git_url, ssh_key_id });
  await make("/host_configs", { type: "url", host: `https://git.example.com/${LONG}`, ssh_key_id });
  await make("/keys", { name: LONG, type: "none" });
  await make("/environment", { name: LONG, json: "{}", env: "{}" });
  await make("/inventory", { name: LONG, type: "file", inventory: `hosts/${LONG}`, ssh_key_id });
  await make("/inventory", { name: "In YAML", type: "static-yaml", inventory: "all:", ssh_key_id });
  await make("/integrations", { name: LONG, template_id: world.deploy.id });
  const at = { template_id: world.deploy.id, cron_format: "30 6 * * 1-5" };
  await make("/schedules", { ...at, name: LONG.slice(0, 100) });
  await make("/schedules", { ...at, timezone: "America/Argentina/Buenos_Aires" });
  const { id: workflow } = await make("/workflows", {
    name: LONG.slice(0, 100),
    steps: [{ kind: "approval" }],
  });
  await make(`/workflows/${workflow}/run`, {});
  const { id } = await make("/tasks", { template_id: world.deploy.id });
  const [model] = await getTasks(world.kv, [[world.web.id, id]]);
  for (let n = 0; n < 30; n++) {
    const name = n % 3 ? `Back up the database ${n}` : `${LONG}${n}`;
    const playbook = n % 3 ? "playbooks/back_up_database.yml" : `playbooks/${LONG}.yml`;
    const template = await make("/templates", templateForm(world, { name, playbook }));
    await writeHistory(world.kv, model, [{
      template_id: n % 2 ? template.id : world.deploy.id,
      template_name: name,
      message: n % 3 ? "" : `Because of ${LONG}`,
      start: model.created,
      end: model.created,
      status: n % 4 ? ENDS[n % 3] : "waiting_confirmation",
      version: n % 2 ? "2024.11.05-rc1-build345" : null,
      user_name: "Alice Archibald von und zu Langenfeld-Neuhausen",
    }]);
  }
}

/** Creates a project with long lists, and opens a browser for Alice. */
async function newLists() {
  const world = await newWorld();
  await fill(world);
  const { url, stop } = serveWorld(world);
  const contexts = await newContexts();
  return {
    world,
    project: `/project/${world.web.id}`,
    async open(options: BrowserContextOptions, columns?: readonly string[]): Promise<Page> {
      const context = await contexts.open({ baseURL: url, ...options });
      const cookies = [{ name: "callboard", value: world.people.alice.token, url }];
      if (columns) cookies.push({ name: "template_columns", value: columns.join("."), url });
      await context.addCookies(cookies);
      return await context.newPage();
    },
    async [Symbol.asyncDispose]() {
      await contexts[Symbol.asyncDispose]();
      await stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

const heights = (page: Page) =>
  page.locator("tbody tr:not(.row-below)").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height)
  );

/** How much wider the rows are than the visible part. The rest is hidden behind their buttons. */
const hidden = (page: Page) =>
  page.locator(".table-frame").first().evaluate((frame) => frame.scrollWidth - frame.clientWidth);

/** Cells of a few known words that are cut off, although none of the words may be. */
const cutWords = (page: Page) =>
  page.locator(".chip .truncate, .whitespace-nowrap > .clamp, td code + code, td .clamp + code")
    .evaluateAll((
      texts,
    ) =>
      texts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent)
    );

/** Texts that run out of their cells, over their neighbors. */
const outOfCells = (page: Page) =>
  page.locator("td:not(.row-below > td)").evaluateAll((cells) =>
    cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent)
  );

const LISTS = [
  ...["history", "runs", "activity", "templates", "templates?open=1", "templates/1", "schedules"],
  ...["team", "keys", "repositories", "git_credentials", "inventory", "environment"],
  "integrations",
];
/** The demo project has all elements of the other lists, and all its pages are checked. */
const CHECKED = LISTS.slice(0, LISTS.indexOf("keys"));

Deno.test("on a desk a row is one line, nothing hides behind its buttons, and names get the room", async () => {
  await using lists = await newLists();
  const size = { viewport: { width: 1280, height: 900 } };
  const page = await lists.open(size);
  for (const list of LISTS) {
    await page.goto(`${lists.project}/${list}`);
    const found = await heights(page);
    assert.ok(found.length > 0 && Math.max(...found) <= 48, `${list}: ${found}`);
    assert.ok(await hidden(page) <= 0, list);
    assert.deepEqual(await cutWords(page), [], list);
  }
  for (const columns of [[], OPTIONAL_COLUMNS, ["version"]]) {
    // All columns fit beside the menu from 1440 pixels on.
    const width = columns === OPTIONAL_COLUMNS ? 1440 : 1280;
    const chosen = await lists.open({ viewport: { width, height: 900 } }, ["name", ...columns]);
    await chosen.goto(`${lists.project}/templates`);
    assert.ok(Math.max(...await heights(chosen)) <= 48, columns.join());
    assert.ok(await hidden(chosen) <= 0, columns.join());
  }
  const wide = await lists.open({ viewport: { width: 1920, height: 1080 } });
  await wide.goto(`${lists.project}/templates`);
  const frame = await wide.locator(".table-frame").boundingBox();
  assert.ok(frame!.width > 1500, `the table is ${frame!.width} px wide`);
});

Deno.test("on a phone a row is a card of some 100 px, with all that matters", async () => {
  await using lists = await newLists();
  const page = await lists.open({ colorScheme: "dark" });
  const phones = [360, 390].map((width) => ({ width, height: 800 }));
  for (const list of LISTS) {
    await page.setViewportSize(phones[0]);
    await page.goto(`${lists.project}/${list}`);
    if (CHECKED.includes(list)) await assertAccessible(page);
    for (const phone of phones) {
      await page.setViewportSize(phone);
      await assertFitsWidth(page);
      assert.equal(await hidden(page), 0, list);
      assert.deepEqual(await outOfCells(page), [], list);
    }
  }
  await page.goto(`${lists.project}/templates`);
  for (const phone of phones) {
    await page.setViewportSize(phone);
    const card = page.locator("tbody tr").filter({ has: page.locator(".chip") }).nth(1);
    const { height } = (await card.boundingBox())!;
    assert.ok(height > 70 && height <= 120, `${height} px`);
    for (const part of [card.locator(".chip"), card.getByRole("link", { name: /^Run/ })]) {
      const box = (await part.boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= phone.width, JSON.stringify(box));
    }
  }
});

Deno.test("text typed before the page's script is loaded filters the list afterwards", async () => {
  await using lists = await newLists();
  const page = await lists.open({});
  let typed = () => {};
  const isTyped = new Promise<void>((resolve) => typed = resolve);
  await page.route("**/*.js", async (route) => {
    await isTyped;
    await route.fallback();
  });
  await page.goto(`${lists.project}/templates`, { waitUntil: "commit" });
  await page.getByRole("searchbox").fill("database 1");
  typed();
  await page.getByText("8 of 31").waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "database 1");
});

Deno.test("typing filters the list; stars and open rows move rows, not the page", async () => {
  await using lists = await newLists();
  const page = await lists.open({ viewport: { width: 1280, height: 600 } });
  await page.goto(`${lists.project}/templates`);
  const row = page.locator("tbody tr");
  const filter = page.getByRole("searchbox");
  await filter.fill("database 1");
  await page.getByText("8 of 31").waitFor();
  assert.equal(await row.count(), 8);
  assert.ok(await filter.evaluate((field) => field === document.activeElement));
  assert.match(page.url(), /\?q=database\+1/);

  await page.getByRole("button", { name: "Favorite: Back up the database 19" }).click();
  await page.getByRole("button", { name: /database 19/, pressed: true }).waitFor();
  assert.match(await row.first().textContent() ?? "", /database 19/);
  assert.equal(await filter.inputValue(), "database 1");
  await page.getByRole("link", { name: "Last tasks of Back up the database 19" }).click();
  await page.locator(".row-below").waitFor();
  assert.equal(await page.locator(".row-below tbody tr").count(), 1);

  await filter.fill("nothing has this");
  await page.getByText('No template matches "nothing has this"').waitFor();
  await page.getByRole("link", { name: "Show all templates" }).click();
  await page.getByText("31 templates").waitFor();

  const last = row.last();
  await last.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 200);
  await last.getByRole("link", { name: /^Last tasks of/ }).click();
  await page.locator(".row-below").waitFor();
  assert.equal(await page.evaluate(() => scrollY), before, "the page did not jump");
  await assertAccessible(page);
});

Deno.test("a list of keys is filtered as one types, and what uses a key opens over it", async () => {
  await using lists = await newLists();
  const { world } = lists;
  for (let n = 1; n <= 80; n++) {
    const body = { name: `Spare key ${n}`, type: "none" };
    await world.api("alice", "POST", `/api/project/${world.web.id}/keys`, body);
  }
  const page = await lists.open({ viewport: { width: 1280, height: 600 } });
  await page.goto(`${lists.project}/keys`);
  const rows = page.locator("tbody tr");
  assert.equal(await rows.count(), 50);
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("51–82 of 82").waitFor();
  const filter = page.getByRole("searchbox");
  await filter.fill("key 1");
  await page.getByText("17 of 82").waitFor();
  assert.equal(await rows.count(), 17);
  assert.ok(await filter.evaluate((field) => field === document.activeElement));
  await page.getByRole("columnheader", { name: "Name" }).getByRole("link").press("Enter");
  await page.locator("th[aria-sort=descending]").waitFor();
  assert.match(await rows.first().textContent() ?? "", /Spare key 71/);
  await filter.fill("none");
  await page.getByText("82 of 82").waitFor();
  await page.getByRole("columnheader", { name: "Used by" }).getByRole("link").click();
  await page.getByRole("columnheader", { name: "Used by" }).and(page.locator("[aria-sort]"))
    .waitFor();
  const uses = rows.first().getByRole("link", { name: /inventor.* None$/ });
  await uses.click();
  const dialog = page.getByRole("dialog", { name: 'Uses of "None"' });
  await dialog.getByRole("link", { name: "Staging" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.ok(await uses.evaluate((link) => link === document.activeElement));
  await filter.fill("nothing has this");
  await page.getByText('No keys match "nothing has this"').waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: "Clear the filter" }).first().click();
  await page.getByText("1–50 of 82").waitFor();
});
