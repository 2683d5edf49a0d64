import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { assertAccessible } from "@/tests/support/browser/browser.ts";
import { closed, focused, newFormStage } from "@/tests/support/browser/form_stage.ts";

const SLOW_MS = 800;

/** Delays all requests from now on. */
const slowDown = (page: Page) =>
  page.route("**/*", async (route) => {
    if (route.request().method() === "POST") await new Promise((go) => setTimeout(go, SLOW_MS));
    await route.fallback();
  });

const create = (page: Page) => page.getByRole("button", { name: "Create", exact: true }).click();
const cells = (page: Page, name: string) => page.getByRole("cell", { name, exact: true });

Deno.test("leaving a dialog while its form is being sent still shows the result", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("environment");
  await slowDown(page);
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").fill("Staging");
  await create(page);
  await page.keyboard.press("Escape");
  await cells(page, "Staging").waitFor();
  await closed(page);
  assert.match(page.url(), /\/environment$/);

  // A rejected form is still there, no matter how the person tried to leave.
  for (const leave of [() => page.keyboard.press("Escape"), () => page.goBack()]) {
    await page.getByRole("link", { name: "New environment" }).click();
    await page.getByLabel("Environment name").fill("Typed");
    await page.getByLabel("Environment name").fill("");
    await create(page);
    await leave();
    await page.getByText("One field needs your attention").waitFor();
    await page.locator("#discard").getByRole("button", { name: "Discard" }).click();
    await closed(page);
    await page.waitForURL(/\/environment$/);
  }
});

Deno.test("pressing Escape twice closes a dialog, and goes no further back", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("environment");
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").waitFor();
  await page.evaluate(() => {
    for (const _ of [1, 2]) {
      const over = document.getElementById("over")!;
      over.dispatchEvent(new Event("cancel", { cancelable: true }));
    }
  });
  await closed(page);
  await page.waitForTimeout(300);
  assert.match(page.url(), /\/environment$/);
});

Deno.test("one form's answer does not take away that of another one", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("settings");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    dialog.accept();
  });
  await slowDown(page);
  await page.getByLabel("Project name").fill("Shop 2");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.getByRole("link", { name: "Key Store" }).click();
  await page.waitForURL(/\/keys$/);
  assert.deepEqual(asked, []);
});

Deno.test("input that the server rejects stays in its dialog, with the reason", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("environment");
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").fill("Staging");
  await page.context().setOffline(true);
  await create(page);
  const alert = page.getByRole("dialog").getByRole("alert");
  await alert.getByText("The server does not respond").waitFor();
  await assertAccessible(page);
  await page.waitForTimeout(3_500);
  assert.ok(await alert.isVisible(), "what failed is told until it is read");
  await page.context().setOffline(false);
  await create(page);
  await cells(page, "Staging").waitFor();

  // Another person deletes it meanwhile.
  await page.getByRole("link", { name: "Edit Staging" }).click();
  await page.getByLabel("Environment name").fill("Typed for an hour");
  await stage.api("DELETE", `environment/${await stage.idOf("environment", "Staging")}`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await alert.getByText("This does not exist").waitFor();
  assert.equal(await page.getByLabel("Environment name").inputValue(), "Typed for an hour");
  await page.keyboard.press("Escape");
  await page.locator("#discard").getByRole("button", { name: "Discard" }).click();
  await closed(page);
});

Deno.test("a mistake's link leads to its field, and the dialog stays", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("keys");
  await page.getByRole("link", { name: "New key" }).click();
  await create(page);
  await page.getByRole("link", { name: /^Private key:/ }).click();
  assert.equal(await focused(page), "field-ssh-private_key");
  assert.match(page.url(), /\/keys\/new$/);
  await page.keyboard.press("Escape");
  await closed(page);
  await page.waitForURL(/\/keys$/);
});

Deno.test("an editor whose script comes late is woken all the same", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates");
  await page.route("**/CodeEditor-*.js", async (route) => {
    await new Promise((go) => setTimeout(go, SLOW_MS));
    await route.fallback();
  });
  await page.getByRole("link", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByText("Survey variables", { exact: true }).click();
  await dialog.getByRole("button", { name: "Add variable" }).click();
  await dialog.locator("#survey-0").waitFor();
  await page.waitForTimeout(2 * SLOW_MS);
  await dialog.getByText("Branch, limits, arguments and runner", { exact: true }).click();
  await dialog.getByText("CLI args", { exact: true }).click();
  await page.locator(".cm-editor.cm-focused").waitFor();
});

Deno.test("a question that is added has the focus, and what is typed meanwhile stays", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates");
  await page.getByRole("link", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  const add = dialog.getByRole("button", { name: "Add variable" });
  await dialog.getByText("Survey variables", { exact: true }).click();
  await add.click();
  await dialog.locator("#survey-0").waitFor();
  assert.equal(await focused(page), "field-survey_vars-0-name");
  await slowDown(page);
  await dialog.getByText("SSH keys and vault passwords", { exact: true }).click();
  await dialog.getByRole("button", { name: "Add vault password" }).click();
  const first = dialog.locator("#survey-0");
  await first.getByLabel("Title").fill("Region");
  await add.click();
  assert.equal(await focused(page), "field-survey_vars-1-name");
  await dialog.locator("[name='vaults.1.name']").waitFor();
  assert.equal(await first.getByLabel("Title").inputValue(), "Region");
  await dialog.locator("#survey-1").getByRole("button", { name: "Remove" }).click();
  await dialog.locator("#survey-1").waitFor({ state: "detached" });
  assert.equal(await focused(page), "survey-add");
});

Deno.test("a box that is ticked in the survey while an answer is on its way stays ticked", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates/new/edit");
  await page.getByText("Survey variables", { exact: true }).click();
  await page.getByRole("button", { name: "Add variable" }).click();
  const question = page.locator("#survey-0");
  await question.getByLabel("Title").fill("Region");
  await question.getByLabel("Required").setChecked(true);
  await page.getByText("SSH keys and vault passwords", { exact: true }).click();
  await slowDown(page);
  for (const [row, isRequired] of [[1, false], [2, true]] as const) {
    await page.getByRole("button", { name: "Add vault password" }).click();
    await question.getByLabel("Required").setChecked(isRequired);
    await page.locator(`[name='vaults.${row}.name']`).waitFor();
    assert.equal(await question.getByLabel("Required").isChecked(), isRequired);
    assert.equal(await question.getByLabel("Title").inputValue(), "Region");
  }
});

Deno.test("the panel of columns closes when they are saved, and its button has the focus", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates");
  const panel = page.locator(".column-settings");
  await page.getByText("Columns", { exact: true }).click();
  await panel.getByLabel("Environment").click();
  await panel.getByRole("button", { name: "Save" }).click();
  await page.getByRole("columnheader", { name: "Environment" }).waitFor();
  assert.equal(await panel.isVisible(), false);
  const focus = await page.evaluate(() => document.activeElement?.textContent);
  assert.match(focus ?? "", /Columns/);
});
