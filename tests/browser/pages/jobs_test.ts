import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { setAside } from "@/tests/support/world/jobs.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("work that was set aside is tried again and discarded on a phone, without a script", async () => {
  await using world = await newWorld();
  const error = new Error("The disk of the server has no space left for the hosts. ".repeat(5));
  for (const task of [1, 2, 3]) await setAside(world, { task, error });
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
  await using visit = await lookAt(world, "erin", { ...phone, javaScriptEnabled: false });
  const { page } = visit;
  await page.goto("/admin/jobs");
  await assertFitsWidth(page);

  await page.getByRole("button", { name: "Try again hosts-2" }).click();
  await page.getByText("The work is tried again.").waitFor();
  assert.equal(await page.locator("#job-hosts-2").count(), 0);

  await page.getByRole("link", { name: "Discard hosts-1" }).click();
  await page.getByText('Discard "hosts-1"? It will never be done.').waitFor();
  await assertFitsWidth(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("The work was discarded.").waitFor();
  assert.equal(await page.locator("#job-hosts-1").count(), 0);
  assert.equal(await page.locator("#job-hosts-3").count(), 1);

  await page.getByRole("link", { name: "Discard all" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("Nothing is set aside.").waitFor();
});

Deno.test("the page of background work is accessible in light and dark", async () => {
  await using world = await newWorld();
  await setAside(world);
  for (const colorScheme of ["light", "dark"] as const) {
    await using visit = await lookAt(world, "erin", { colorScheme });
    await visit.page.goto("/admin/jobs");
    await assertAccessible(visit.page);
    await visit.page.goto("/admin/jobs/discard?job=hosts-7");
    await assertAccessible(visit.page);
    assert.deepEqual(visit.problems, []);
  }
});
