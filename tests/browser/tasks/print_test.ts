import assert from "node:assert/strict";
import { isAlive, lookAt } from "@/tests/support/browser/browser.ts";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a task is printed in black on white with its lines, and without tools", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 150);
  await task.end();
  const over = `/project/${world.web.id}/templates/${world.deploy.id}?t=${task.id}`;
  await using visit = await lookAt(world, "bob", { colorScheme: "dark" });
  const { page } = visit;
  for (const path of [over, task.path]) {
    await page.goto(path);
    if (path === over) await isAlive(page);
    await page.emulateMedia({ media: "print" });
    for (const text of ["this is line 1", "this is line 150"]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    const colors = await page.locator(".log-text").first().evaluate((line) => [
      getComputedStyle(line).color,
      getComputedStyle(document.documentElement).getPropertyValue("--page"),
    ]);
    assert.deepEqual(colors, ["rgb(0, 0, 0)", "#ffffff"], path);
    assert.equal(
      await page.locator(".drawer:visible, .log-tools:visible, .tabs:visible").count(),
      0,
    );
    await page.emulateMedia({ media: "screen" });
  }
});

Deno.test("all loaded lines of a long output are printed, and the reader stays at the same line", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await using visit = await lookAt(world, "bob");
  const { page } = visit;
  await page.goto(task.path);
  await page.locator(".log-tools:not(.log-tools-unready)").waitFor();
  await page.getByRole("log").hover();
  await task.write(5_001, 5_600);
  await page.locator("#L5600").waitFor();
  const rows = page.locator(".log-line");
  const before = await rows.count();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.locator("#L4801").waitFor({ state: "attached" });
  assert.ok(
    await rows.count() >= 800,
    `${before} rows on the screen, ${await rows.count()} printed`,
  );
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.locator("#L4801").waitFor({ state: "detached" });
  assert.equal(await rows.count(), before);
  assert.ok(await page.locator("#L5600").isVisible());
});
