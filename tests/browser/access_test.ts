import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, newStage } from "@/tests/support/browser.ts";
import { signIn } from "@/tests/support/real_server.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

Deno.test("sessions and tokens are seen and ended on a phone, in the dark, with and without a script", async (t) => {
  await using stage = await newStage();
  const form = { name: "Bob", username: "bob", email: "bob@example.com", password: "only tests" };
  const { body: bob } = await stage.server.api("POST", "/api/users", form);

  await t.step("the pages are accessible, and no wider than the phone", async () => {
    const { page, problems } = await stage.open(PHONE);
    for (const path of ["/account", `/users/${bob.id}`]) {
      await page.goto(path);
      await assertAccessible(page);
      await assertFitsWidth(page);
    }
    assert.deepEqual(problems, []);
  });

  await t.step("without a script a token is made, shown once, and revoked", async () => {
    await signIn(stage.server.url);
    const { page } = await stage.open({ ...PHONE, javaScriptEnabled: false });
    await page.goto("/account");
    await page.getByLabel("Name", { exact: true }).last().fill("Phone");
    await page.getByRole("button", { name: "Create token" }).click();
    const token = (await page.locator("#tokens code").first().textContent())!;
    assert.match(token, /^[\w-]{43}\.\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    const status = async () => {
      const response = await fetch(new URL("/api/user", stage.server.url), { headers });
      await response.body?.cancel();
      return response.status;
    };
    assert.equal(await status(), 200);
    await page.goto("/account");
    assert.equal(await page.getByText(token).count(), 0);
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.waitForURL(/\/account$/);
    assert.equal(await status(), 401);
    await page.getByRole("button", { name: "End all other sessions" }).click();
    assert.equal(await page.getByText("this session").count(), 1);
    assert.equal(await page.getByRole("button", { name: "End", exact: true }).count(), 0);
  });
});
