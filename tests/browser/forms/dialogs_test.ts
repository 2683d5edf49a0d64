import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { isQuiet } from "@/tests/support/browser/browser.ts";
import { closed, dialogOf, isSame, newFormStage } from "@/tests/support/browser/form_stage.ts";

/** Pages of a project, and the names of the links or buttons on them that open dialogs. */
const OPENERS: Record<string, string[]> = {
  templates: ["New template", "Edit views", "Run Ping Site"],
  schedules: ["New schedule"],
  inventory: ["New inventory", "Edit Build", "Delete Build"],
  environment: ["New environment"],
  keys: ["New key"],
  repositories: ["New repository"],
  integrations: ["New integration"],
  team: ["New team member"],
};

/** A place on the backdrop of a dialog that takes the middle of the window. */
const BESIDE = { x: 8, y: 8 };

type Locator = ReturnType<Page["locator"]>;

/** All ways to close a dialog. */
const WAYS: [name: string, close: (page: Page, dialog: Locator) => Promise<unknown>][] = [
  ["its button", (_, dialog) => dialog.getByTitle("Close", { exact: true }).click()],
  ["Escape", (page) => page.keyboard.press("Escape")],
  ["a click beside it", (page) => page.mouse.click(BESIDE.x, BESIDE.y)],
  ["Back", (page) => page.goBack()],
];

/** Fails unless the button is named "Close" and is in the upper right corner of its dialog. */
async function assertCloseButton(dialog: Locator, name: string): Promise<void> {
  const button = dialog.getByTitle("Close", { exact: true });
  assert.equal(await button.count(), 1, name);
  const [box, corner] = [(await dialog.boundingBox())!, (await button.boundingBox())!];
  const right = box.x + box.width - corner.x - corner.width;
  assert.ok(right >= 0 && right < 24, `${name}: ${right} px from the right`);
  assert.ok(corner.y - box.y < 80, `${name}: ${corner.y - box.y} px from the top`);
}

Deno.test("all dialogs have the same close button, and close in the same ways", async () => {
  await using stage = await newFormStage();
  const template_id = await stage.idOf("templates", "Build");
  const { body } = await stage.api("POST", "tasks", { template_id });
  const { page, problems } = await stage.open("history");
  await page.goto(`${stage.projectPath}/history?t=${body.id}&tab=hosts`);
  await dialogOf(page).locator("#task-tab-hosts:focus").waitFor();
  await page.keyboard.press("Escape");
  await closed(page);
  let turn = 0;
  for (const [path, names] of Object.entries({ ...OPENERS, history: [`#${body.id}`] })) {
    await page.goto(`${stage.projectPath}/${path}`);
    await isQuiet(page);
    await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
    const address = page.url();
    for (const name of names) {
      const opener = page.locator("#main").getByRole("link", { name, exact: true }).first();
      const [way, close] = WAYS[turn++ % WAYS.length];
      const about = `${name}, closed by ${way}`;
      await opener.click();
      await dialogOf(page).locator(".dialog").waitFor();
      await assertCloseButton(dialogOf(page).locator(".dialog"), about);
      await close(page, dialogOf(page));
      await closed(page);
      await page.waitForURL(address);
      assert.ok(await opener.evaluate((link) => link === document.activeElement), about);
      assert.ok(await isSame(page), about);
    }
  }
  assert.deepEqual(problems, []);
});

Deno.test("a form that leads to another page leaves the focus to that page, not to its first button", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("workflows");
  await page.getByRole("link", { name: "New workflow" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Release");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Release" }).waitFor();
  await page.locator("#main:focus").waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a message covers no part of the dialog in front, and moves none when it ends", async () => {
  await using stage = await newFormStage();
  for (const viewport of [{ width: 390, height: 640 }, { width: 1280, height: 500 }]) {
    const { page, problems } = await stage.open("templates", { viewport });
    await page.evaluate(() => {
      const paused = new CSSStyleSheet();
      paused.replaceSync(".flash { animation-play-state: paused !important }");
      document.adoptedStyleSheets = [paused];
    });
    await page.getByRole("link", { name: "Edit views" }).click();
    const dialog = dialogOf(page).locator(".dialog");
    for (const name of [`Nightly ${viewport.width}`, `Weekly ${viewport.width}`]) {
      await dialog.getByLabel("New view").fill(name);
      await dialog.getByRole("button", { name: "Add" }).click();
      await dialog.locator(`input[value="${name}"]`).first().waitFor();
    }
    const flash = dialogOf(page).locator(".flash");
    const [message, box] = [(await flash.boundingBox())!, (await dialog.boundingBox())!];
    assert.ok(box.y >= 0 && box.y + box.height <= message.y, JSON.stringify([box, message]));
    assert.ok(message.y + message.height <= viewport.height, JSON.stringify(message));
    await page.evaluate(() => document.adoptedStyleSheets = []);
    await flash.waitFor({ state: "hidden" });
    assert.deepEqual(await dialog.boundingBox(), box);
    assert.deepEqual(problems, []);
  }
});

Deno.test("the palette and the question before input is lost close in the same ways", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("environment");
  const address = page.url();
  const opener = page.locator(".drawer-search");
  const palette = page.locator(".palette");
  for (const [way, close] of WAYS) {
    await opener.click();
    await palette.waitFor();
    await assertCloseButton(palette, "palette");
    await close(page, palette);
    await palette.waitFor({ state: "detached" });
    assert.equal(page.url(), address);
    assert.ok(await opener.evaluate((link) => link === document.activeElement), way);
  }

  // Beside a dialog with input a click does nothing, and all ways out of the question keep it.
  await page.getByRole("link", { name: "New environment" }).click();
  const field = page.getByLabel("Environment name");
  await field.fill("Staging");
  const question = page.locator("#discard");
  await page.mouse.click(BESIDE.x, BESIDE.y);
  assert.ok(await dialogOf(page).isVisible() && await question.isHidden());
  for (const [, close] of WAYS) {
    await page.keyboard.press("Escape");
    await question.waitFor();
    await assertCloseButton(question, "question");
    await close(page, question);
    await question.waitFor({ state: "hidden" });
    assert.equal(await field.inputValue(), "Staging");
    assert.match(page.url(), /\/environment\/new$/);
  }
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await closed(page);

  // A selection that ends beside the dialog is not a click beside it.
  await page.getByRole("link", { name: "New environment" }).click();
  await field.waitFor();
  const box = (await field.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(BESIDE.x, BESIDE.y);
  await page.mouse.up();
  assert.ok(await field.isVisible());
  assert.deepEqual(problems, []);
});
