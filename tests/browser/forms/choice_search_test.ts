import assert from "node:assert/strict";
import { paths } from "@/lib/base/paths.ts";
import { assertAccessible, isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Opens a browser for Mike, in a project with so many templates that choices are searched. */
async function newVisit() {
  const world = await newWorld();
  await addTemplates(world, 300);
  const visit = await lookAt(world, "mike");
  return {
    ...visit,
    world,
    projectId: world.web.id,
    async [Symbol.asyncDispose]() {
      await visit[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a template is found by keys in a form, and nothing else is typed in again", async () => {
  await using visit = await newVisit();
  const { page, projectId, world, problems } = visit;
  await page.goto(paths.schedules(projectId));
  await page.getByRole("link", { name: "New schedule" }).click();
  const field = page.locator("input[role=combobox]").first();
  await field.waitFor();
  await isQuiet(page);
  const isFocused = () => field.evaluate((element) => element === document.activeElement);
  assert.ok(await isFocused(), "the first field of the form");
  assert.match(await field.evaluate((element) => getComputedStyle(element).backgroundImage), /svg/);
  await page.getByLabel("Name (Optional)").fill("Nightly");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("This is required.").first().waitFor();
  await isQuiet(page);
  await field.waitFor();
  assert.ok(await isFocused(), "the field with the error");
  assert.equal(await page.getByLabel("Name (Optional)").inputValue(), "Nightly");
  await field.fill("no such template");
  await page.getByText('No results for "no such template"').waitFor();
  await field.fill("late 14");
  const list = page.getByRole("listbox", { name: "Filter: Template" });
  await page.getByRole("option", { name: "Template 140" }).waitFor();
  assert.equal(await list.getByRole("option").count(), 13);
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  await assertAccessible(page);

  await page.keyboard.press("Escape");
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  assert.equal(await field.inputValue(), "", "the typed words are no choice");
  assert.equal(await page.getByRole("dialog").count(), 1, "Escape closes the list alone");

  await field.fill("late 14");
  await page.getByRole("option", { name: "Template 140" }).waitFor();
  // The first one is marked: 014, 114, 140.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const active = await field.getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${active}"]`).textContent(), "Template 140");
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "Template 140");
  assert.equal(await page.getByLabel("Name (Optional)").inputValue(), "Nightly");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Nightly").first().waitFor();
  const [schedule] = (await world.api("mike", "GET", `/api/project/${projectId}/schedules`)).body;
  assert.deepEqual([schedule.name, schedule.tpl_name], ["Nightly", "Template 140"]);
  assert.deepEqual(problems.filter((text) => !/422/.test(text)), []);
});

Deno.test("a filter applies once a template is chosen in it, and its choice can be taken back", async () => {
  await using visit = await newVisit();
  const { page, projectId, problems } = visit;
  await page.goto(paths.section(projectId, "history"));
  await isQuiet(page);
  const field = page.locator("input[role=combobox]");
  const rows = page.locator("#history-tasks > tr, #history-tasks tr");
  await field.fill("007");
  await page.getByRole("option", { name: "Template 007" }).click();
  await page.waitForURL(/template=/);
  await isQuiet(page);
  assert.equal(await field.inputValue(), "Template 007");
  assert.equal(await rows.count(), 1);
  assert.doesNotMatch(page.url(), /find/);

  await field.click();
  const list = page.getByRole("listbox", { name: "Filter: Template" });
  await list.getByRole("option", { name: "All" }).click();
  await page.waitForURL((url) => !url.searchParams.has("template"));
  await isQuiet(page);
  assert.equal(await rows.count(), 20);
  assert.deepEqual(problems, []);
});

Deno.test("without a script, a button shows the matching options of a choice", async () => {
  await using world = await newWorld();
  await addTemplates(world, 300);
  await using visit = await lookAt(world, "mike", { javaScriptEnabled: false });
  const { page } = visit;
  await page.goto(paths.schedule(world.web.id, "new"));
  await page.getByLabel("Name (Optional)").fill("Nightly");
  await page.getByRole("searchbox", { name: "Filter: Template" }).fill("late 14");
  await page.getByRole("button", { name: "Filter" }).click();
  const select = page.getByRole("combobox", { name: "Template" }).first();
  assert.equal(await page.getByLabel("Name (Optional)").inputValue(), "Nightly");
  await select.selectOption({ label: "Template 140" });
  await page.getByRole("button", { name: "Create" }).click();
  assert.equal(await page.getByText("Template 140").count() > 0, true);
});
