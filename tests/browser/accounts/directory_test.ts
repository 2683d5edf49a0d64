import assert from "node:assert/strict";
import { createDirectory } from "@/lib/ldap/directory.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { passwordOf, startSlapd } from "@/tests/support/programs/slapd.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const PHONE = { viewport: { width: 390, height: 800 }, colorScheme: "dark" } as const;

Deno.test("Zoe of the directory signs in with the form that all have, with and without a script", async () => {
  await using slapd = await startSlapd();
  await slapd.addPerson("zoe");
  for (const javaScriptEnabled of [true, false]) {
    await using world = await newWorld({
      deps: { directory: createDirectory(slapd.settings({})) },
    });
    await using visit = await lookAt(world, "bob", { ...PHONE, javaScriptEnabled });
    const { page, problems } = visit;
    await page.context().clearCookies();
    await page.goto("/auth/login?next=%2Faccount%2Fsecurity");
    const [name, password] = [page.getByLabel("Username or e-mail"), page.getByLabel("Password")];
    await name.fill("zoe");
    await password.fill("a guess");
    await password.press("Enter");
    await page.getByRole("alert").waitFor();
    assert.equal(await name.inputValue(), "zoe");
    if (javaScriptEnabled) await assertAccessible(page);
    await password.fill(passwordOf("zoe"));
    await password.press("Enter");
    await page.waitForURL(/\/account\/security$/);
    await page.getByText("signed in through ldap").first().waitFor();
    assert.equal(await page.getByLabel("Current password").count(), 0);
    await assertFitsWidth(page);
    if (javaScriptEnabled) await assertAccessible(page);
    assert.deepEqual(problems.filter((text) => !/422/.test(text)), []);
  }
});
