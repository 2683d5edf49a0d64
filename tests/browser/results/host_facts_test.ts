import assert from "node:assert/strict";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("the facts of a host are found as one types, and fit phones and the dark", async () => {
  await using world = await newWorld();
  for (const kernel of ["6.1", "6.2"]) {
    const told = await reportedTask(world);
    const value = { ansible_kernel: kernel, ansible_mounts: ["/srv/with/a/long/name".repeat(20)] };
    await told.report(play("Web"), task("a"), result("a", "web"));
    await told.report({ type: "facts", host: "web", facts: { value, shortened: [] } });
    await told.end();
  }
  await rememberDue(world.deps);
  for (const colorScheme of ["light", "dark"] as const) {
    await using visit = await lookAt(world, "carol", {
      colorScheme,
      viewport: { width: 390, height: 844 },
    });
    const { page, problems } = visit;
    await page.goto(`/project/${world.web.id}/hosts/web`);
    await page.getByRole("heading", { name: "Changed since task #1" }).waitFor();
    await assertAccessible(page);
    await assertFitsWidth(page);
    await page.fill("#facts-filter", "kernel");
    await page.locator("#fact-1").waitFor({ state: "detached" });
    assert.match(page.url(), /\?facts=kernel/);
    assert.deepEqual(problems, []);
  }
});
