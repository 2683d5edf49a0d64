import assert from "node:assert/strict";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  newStage,
  type Stage,
} from "@/tests/support/browser/browser.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

/** Creates the demo project of a server, with one schedule. */
async function prepare({ server }: Stage) {
  const demo = { name: "Demo", demo: true };
  const { body: project } = await server.api("POST", "/api/projects", demo);
  const api = `/api/project/${project.id}`;
  const { body: [template] } = await server.api("GET", `${api}/templates`);
  const nightly = { template_id: template.id, name: "Nightly", cron_format: "0 3 * * *" };
  const made = await server.api("POST", `${api}/schedules`, { ...nightly, active: true });
  assert.equal(made.status, 201);
  return { list: `/project/${project.id}/schedules`, template, id: made.body.id, project, api };
}

Deno.test("schedules are created on accessible pages, without a script", async (t) => {
  await using stage = await newStage("stand-in");
  const { list, template, id, project, api } = await prepare(stage);

  await t.step("the pages are accessible, and no wider than a phone", async () => {
    const { page, problems } = await stage.open(PHONE);
    const templates = `/project/${project.id}/templates`;
    for (
      const path of [
        list,
        `${list}/new`,
        `${list}/new?template=${template.id}`,
        `${list}/${id}`,
        `${list}/${id}/delete`,
        `${templates}/${template.id}`,
        `${templates}/${template.id}/edit`,
        `${templates}/${template.id}/tasks`,
      ]
    ) {
      await page.goto(path);
      await assertAccessible(page);
      await assertFitsWidth(page);
    }
    assert.deepEqual(problems, []);
  });

  await t.step(
    "without a script a button shows the preview, and all is done by pages",
    async () => {
      const { page } = await stage.open({ javaScriptEnabled: false });
      await page.goto(`${list}/new?template=${template.id}`);
      await page.getByLabel("Cron", { exact: true }).fill("@every 90m");
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByText("Every 90 minutes").waitFor();
      assert.equal(await page.locator("#schedule-preview time").count(), 5);
      await page.getByRole("button", { name: "Create" }).click();
      await page.waitForURL(new RegExp(`${list}\\?template=`));
      await page.getByRole("link", { name: "Delete Every 90 minutes" }).click();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText("Schedule deleted").waitFor();
      const { body: left } = await stage.server.api("GET", `${api}/schedules`);
      assert.deepEqual(left.map(({ name }: { name: string }) => name), ["Nightly"]);
    },
  );
});

Deno.test("with a script, schedules are created and paused in their list", async (t) => {
  await using stage = await newStage("stand-in");
  const { list, template, id, api } = await prepare(stage);

  await t.step(
    "while one types, the next times come, and nothing that is typed is lost",
    async () => {
      const { page, problems } = await stage.open();
      await page.goto(list);
      await isAlive(page);
      await page.getByRole("link", { name: "New schedule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Template").selectOption(String(template.id));
      await dialog.getByText("Run settings").waitFor();
      await dialog.getByLabel("Name (Optional)").fill("Weekly");
      const cron = dialog.getByLabel("Cron", { exact: true });
      await dialog.getByLabel("Frequency").selectOption("Weekly");
      await dialog.locator("#field-at_time").fill("02:30");
      await dialog.locator("#field-cron_format[value='30 2 * * 1']").waitFor();
      await dialog.getByText(/^At 2:30\sAM, only on Monday$/u).waitFor();
      assert.equal(await dialog.locator("#schedule-preview time").count(), 5);
      await dialog.getByLabel("Time zone").selectOption("Asia/Tokyo");
      await dialog.locator("#schedule-preview", { hasText: "GMT+9" }).waitFor();
      assert.equal(await dialog.getByLabel("Name (Optional)").inputValue(), "Weekly");

      // A format that cannot be read is reported at its field, which keeps the focus.
      await cron.fill("99 2 * * 1");
      await dialog.locator("#field-cron_format-error").waitFor();
      assert.equal(await cron.evaluate((field) => field === document.activeElement), true);
      await cron.fill("");
      await cron.pressSequentially("15 2 * * 1");
      await dialog.getByText(/^At 2:15\sAM, only on Monday$/u).waitFor();
      assert.equal(await dialog.getByRole("button", { name: "Preview" }).isVisible(), false);

      await dialog.getByRole("button", { name: "Create" }).click();
      await page.getByText("Schedule created").waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
      await page.getByRole("link", { name: "Weekly", exact: true }).waitFor();
      assert.deepEqual(problems, []);
    },
  );

  await t.step("a schedule is paused where it is listed, and the page stays", async () => {
    const { page } = await stage.open();
    await page.goto(list);
    await isAlive(page);
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    await page.getByRole("switch", { name: "Active: Nightly" }).click();
    await page.getByRole("switch", { name: "Active: Nightly", checked: false }).waitFor();
    assert.ok(await page.evaluate(() => "isSame" in globalThis));
    const { body: paused } = await stage.server.api("GET", `${api}/schedules/${id}`);
    assert.equal(paused.active, false);
    await page.goto(`${list}?template=${template.id}`);
    await isAlive(page);
    await page.getByLabel("Template").selectOption("");
    await page.waitForURL((url) => !url.searchParams.has("template"));
  });
});
