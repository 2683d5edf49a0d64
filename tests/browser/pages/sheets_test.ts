import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "@/tests/packages/playwright.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";
import { isAlive, newStage, type Stage } from "@/tests/support/browser/browser.ts";

/** Time in which the server sends an area's style sheet. */
const LATE_MS = 400;

async function newKeys({ server: { api } }: Stage): Promise<string> {
  const { body } = await api("POST", "/api/projects", { name: "Sheets", demo: true });
  return `/project/${body.id}/keys`;
}

/** Returns the areas of which the page shows something, and whose style sheet it does not have. */
async function missing(page: Page): Promise<string[]> {
  const index = JSON.parse(await Deno.readTextFile(join(ROOT, "_generated/sheets.json")));
  return await page.evaluate((areas) => {
    const has = (name: string) =>
      document.querySelector(`.${CSS.escape(name)}, #${CSS.escape(name)}`) !== null;
    const applied = [...document.styleSheets].map(({ href }) => href ?? "");
    return areas.filter(([area, sets]) =>
      sets.some((set) => set.split(" ").every(has)) &&
      !applied.some((href) => href.includes(`/styles/${area}.css`))
    ).map(([area]) => area);
  }, Object.entries<string[]>(index));
}

/** Sends the style sheets of areas late, and notes those that are missing at each change. */
async function watchSheets(page: Page): Promise<() => Promise<string[]>> {
  await page.route(/\/styles\/\w+\.css/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });
  await page.evaluate(() => {
    const unstyled: string[] = [];
    const isApplied = (area: string) =>
      [...document.styleSheets].some(({ href }) => href?.includes(`/styles/${area}.css`));
    new MutationObserver(() => {
      for (const [name, area] of [["key-fields", "keys"], ["palette", "palette"]]) {
        if (document.querySelector(`.${name}`) && !isApplied(area)) unstyled.push(name);
      }
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(globalThis, { unstyled });
  });
  return () => page.evaluate(() => (globalThis as unknown as { unstyled: string[] }).unstyled);
}

Deno.test("a dialog and the palette are shown once their style sheets have come", async () => {
  await using stage = await newStage("stand-in");
  const { page, problems } = await stage.open();
  await page.goto(await newKeys(stage));
  await page.locator("[data-awake]").waitFor({ state: "attached" });
  await isAlive(page);
  assert.deepEqual(await missing(page), []);
  const unstyled = await watchSheets(page);
  await page.getByRole("link", { name: "New key" }).click();
  await page.locator("#over .key-fields").waitFor();
  assert.deepEqual(await missing(page), []);
  await page.keyboard.press("Escape");
  await page.locator("#over").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+k");
  await page.locator(".palette-row").first().waitFor();
  assert.deepEqual(await missing(page), []);
  assert.deepEqual(await unstyled(), []);
  assert.deepEqual(problems, []);
});

Deno.test("parts of a stream are shown with their style sheets, in the order of the events", async () => {
  await using stage = await newStage("stand-in");
  const path = await newKeys(stage);
  const { page, problems } = await stage.open();
  const part = (name: string, text: string) =>
    `<p id="${name}" data-into="main" class="${name}">${text}</p>`;
  const sheet = '<link rel="stylesheet" href="/styles/palette.css">';
  const events = [sheet + part("palette-row", "first"), part("palette-row", "second")];
  await page.route(/\/events(\?|$)/, (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: events.map((html) => `data: ${html}\n\n`).join(""),
    }));
  await page.route(/\/styles\/palette\.css/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });
  await page.goto(path);
  await page.locator("#palette-row", { hasText: "second" }).waitFor();
  assert.deepEqual(await missing(page), []);
  const display = await page.locator("#palette-row").evaluate((row) =>
    getComputedStyle(row).display
  );
  assert.equal(display, "flex");
  assert.deepEqual(problems, []);
});

Deno.test("style sheets apply in one order, whichever page has brought them", async () => {
  await using stage = await newStage("stand-in");
  const { page } = await stage.open();
  await page.goto((await newKeys(stage)).replace("keys", "integrations"));
  await page.locator("[data-awake]").waitFor({ state: "attached" });
  await page.keyboard.press("Control+k");
  await page.locator(".palette-row").first().waitFor();
  await page.getByRole("combobox").fill("New environment");
  await page.keyboard.press("Enter");
  await page.locator("#over .form").waitFor();
  const names = await page.evaluate(() =>
    [...document.styleSheets].map(({ href }) => /styles(\/\w+)?\.css/.exec(href!)![0])
  );
  assert.deepEqual(names, names.toSorted());
  assert.ok(names.length >= 4, names.join());
});
