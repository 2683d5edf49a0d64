import assert from "node:assert/strict";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  newStage,
} from "@/tests/support/browser/browser.ts";
import { signIn } from "@/tests/support/server/real_server.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

Deno.test("sessions and tokens are seen and ended on a phone, in the dark, with and without a script", async (t) => {
  await using stage = await newStage("stand-in");
  const form = { name: "Bob", username: "bob", email: "bob@example.com", password: "only tests" };
  const { body: bob } = await stage.server.api("POST", "/api/users", form);

  await t.step("the pages are accessible, and no wider than the phone", async () => {
    const { page, problems } = await stage.open(PHONE);
    const pages = ["", "/security", "/tokens", "/keys", "/notifications", "/appearance"];
    const own = [...pages.map((part) => `/account${part}`), `/users/${bob.id}`];
    const toolchain = { name: "Old Ansible", ansible_core: "2.16", is_default: true };
    const { body: { id } } = await stage.server.api("POST", "/api/toolchains", toolchain);
    const toolchains = ["", "/new", `/${id}`, `/${id}/build`, `/${id}/uses`, `/${id}/delete`]
      .map((part) => `/admin/toolchains${part}`);
    const ofServer = [
      "/admin/health",
      "/admin/backups",
      "/admin/jobs",
      "/admin/maintenance",
      "/admin/settings",
      "/users/waiting",
      ...toolchains,
    ];
    for (const path of [...own, ...ofServer]) {
      await page.goto(path);
      await assertAccessible(page);
      await assertFitsWidth(page);
    }
    assert.deepEqual(problems, []);
    // As the default, it would be built for the runs of other tests on this server.
    const change = { ...toolchain, id, is_default: false };
    const { status } = await stage.server.api("PUT", `/api/toolchains/${id}`, change);
    assert.equal(status, 204);
  });

  await t.step("without a script a token is made, shown once, and revoked", async () => {
    await signIn(stage.server.url);
    const { page } = await stage.open({ ...PHONE, javaScriptEnabled: false });
    await page.goto("/account/tokens");
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
    await page.goto("/account/tokens");
    assert.equal(await page.getByText(token).count(), 0);
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.waitForURL(/\/account\/tokens$/);
    assert.equal(await status(), 401);
    await page.goto("/account/security");
    await page.getByRole("button", { name: "End all other sessions" }).click();
    assert.equal(await page.getByText("this session").count(), 1);
    assert.equal(await page.getByRole("button", { name: "End", exact: true }).count(), 0);
  });
});

Deno.test("the first page shows times in the browser's zone, and the palette leads to the server's pages", async () => {
  await using stage = await newStage("stand-in");
  const { page, problems } = await stage.open({ timezoneId: "Asia/Tokyo" });
  let documents = 0;
  page.on("request", (request) => documents += Number(request.isNavigationRequest()));
  await page.goto("/account/security");
  await page.locator("#sessions time[title*='GMT+9']").first().waitFor();
  assert.equal(documents, 2, "the page was loaded again with the zone");
  await isAlive(page);
  await page.keyboard.press("Control+k");
  await page.locator(".palette [role=combobox]").fill("health");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/health");
  await page.locator("h1", { hasText: "Health" }).waitFor();
  assert.equal(documents, 3, "no page is loaded again once the zone is known");
  await assertAccessible(page);
  assert.deepEqual(problems, []);
});
