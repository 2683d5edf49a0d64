import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, assertFitsWidth, newStage } from "@/tests/support/browser/browser.ts";
import { ADMIN } from "@/tests/support/server/real_server.ts";

const LOOKS: BrowserContextOptions[] = [
  { viewport: { width: 390, height: 844 }, colorScheme: "dark", javaScriptEnabled: false },
  { viewport: { width: 1280, height: 900 } },
];

/** Ends the session, as it would end on its own after a week. */
async function endSession(page: Page) {
  await page.context().clearCookies({ name: "callboard" });
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

Deno.test("a session ends while a form is typed: after signing in it is there as it was", async (t) => {
  await using stage = await newStage("stand-in");
  const { body: project } = await stage.server.api("POST", "/api/projects", { name: "Web shop" });
  const path = `/project/${project.id}/keys/new`;

  for (const look of LOOKS) {
    const script = look.javaScriptEnabled === false ? "without a script" : "with a script";
    await t.step(script, async () => {
      const { page, problems } = await stage.open(look);
      await page.goto(path);
      await page.locator("[name=name]").fill("Half typed");
      await page.locator("[name='ssh.private_key']").fill("-----BEGIN");
      await endSession(page);
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.waitForURL(/\/auth\/login/);
      await page.getByLabel("Username").fill(ADMIN.login);
      await page.getByLabel("Password").fill(ADMIN.password);
      await page.getByLabel("Password").press("Enter");
      await page.waitForURL((url) => url.pathname === path);
      await page.getByText("Your session expired").waitFor();
      assert.equal(await page.locator("[name=name]").inputValue(), "Half typed");
      assert.equal(await page.locator("[name='ssh.private_key']").inputValue(), "");
      await page.getByRole("link", { name: "Private key" }).waitFor();
      if (look.javaScriptEnabled !== false) await assertAccessible(page);
      await assertFitsWidth(page);
      assert.deepEqual(problems, []);
    });
  }
});

Deno.test("of two people who edit the same, the second sees both texts, and chooses with the keyboard", async (t) => {
  await using stage = await newStage("stand-in");
  const { body: project } = await stage.server.api("POST", "/api/projects", { name: "Web shop" });
  const environment = { name: "Production", json: '{"release": 1}' };
  const list = `/api/project/${project.id}/environment`;
  const { body: { id } } = await stage.server.api("POST", list, environment);
  const path = `/project/${project.id}/environment/${id}`;

  for (const look of LOOKS) {
    const script = look.javaScriptEnabled === false ? "without a script" : "with a script";
    await t.step(script, async () => {
      await stage.server.api("PUT", `${list}/${id}`, environment);
      const { page } = await stage.open(look);
      await page.goto(path);
      const theirs = { name: "Staging", json: '{"release": 2}' };
      await stage.server.api("PUT", `${list}/${id}`, theirs);
      await page.locator("[name=name]").fill("Live");
      await save(page);
      await page.getByText("Someone else changed this").waitFor();
      const name = page.locator("#conflict-name");
      const json = page.locator("#conflict-json");
      const isChosen = (group: typeof name, label: RegExp) => group.getByLabel(label).isChecked();
      assert.deepEqual(
        [await isChosen(name, /^Mine/), await isChosen(json, /^Theirs/)],
        [true, true],
      );
      if (look.javaScriptEnabled !== false) await assertAccessible(page);
      await assertFitsWidth(page);
      await name.getByLabel(/^Mine/).focus();
      await page.keyboard.press("ArrowDown");
      assert.ok(await isChosen(name, /^Theirs/));
      await page.keyboard.press("ArrowUp");
      await save(page);
      await page.waitForURL(/\/environment$/);
      const { body } = await stage.server.api("GET", `${list}/${id}`);
      assert.deepEqual([body.name, JSON.parse(body.json)], ["Live", { release: 2 }]);
    });
  }
});
