import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("from a template one comes to which runs printed something, and to the line", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  for (const line of ["[WARNING]: old module", "fine", `[WARNING]: ${"long ".repeat(200)}`]) {
    const task = await loggedTask(world, 40);
    await task.print(line);
    await task.end();
  }
  for (const javaScriptEnabled of [true, false]) {
    await using visit = await lookAt(world, "carol", {
      javaScriptEnabled,
      colorScheme: "dark",
      viewport: { width: 390, height: 800 },
    });
    const { page, problems } = visit;
    await page.goto(`/project/${web.id}/templates/${deploy.id}`);
    await page.getByRole("link", { name: "Search the output" }).click();
    await page.getByRole("searchbox").last().fill("^\\[WARN");
    await page.getByLabel("Regular expression").check();
    await page.getByLabel("From").fill("2024-01-01");
    await page.getByRole("searchbox").last().press("Enter");
    await page.getByText("2 of 3 tasks printed it.").waitFor();
    assert.equal(
      await page.getByRole("list", { name: "Matching tasks" }).getByRole("link").count(),
      2,
    );
    const lines = page.getByRole("list", { name: "Matching tasks" });
    assert.deepEqual(await lines.locator("mark").allInnerTexts(), ["[WARN", "[WARN"]);
    assert.equal(await page.getByLabel("From").inputValue(), "2024-01-01");
    await assertFitsWidth(page);
    if (Deno.env.get("LOOK")) await page.screenshot({ path: "/tmp/run_search.png" });
    if (javaScriptEnabled) await assertAccessible(page);
    await page.getByRole("list", { name: "Matching tasks" }).getByRole("link").last().click();
    await page.locator("#L41.log-found").waitFor();
    await page.getByText("[WARNING]: old module").waitFor();
    assert.deepEqual(problems, []);
  }
});
