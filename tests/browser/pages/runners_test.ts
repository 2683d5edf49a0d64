import assert from "node:assert/strict";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { FACTS, register, registeredRunner } from "@/tests/support/world/runners.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a runner is created in a dialog, and appears when its program connects", async () => {
  await using world = await newWorld();
  await registeredRunner(world, {
    name: "a-name-that-is-too-long-".repeat(4),
    labels: "dmz, eu-1",
  });
  const list = `/project/${world.web.id}/runners`;
  await using visit = await lookAt(world, "mike", { viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  await page.goto(list);
  await assertAccessible(page);
  const heights = await page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height)
  );
  // The state has one line, and its reason at most two.
  assert.ok(heights.length === 1 && Math.max(...heights) <= 66, heights.join());
  await page.click("text=New runner");
  await page.fill("dialog [name=name]", "dmz-9");
  await page.click('dialog button:has-text("Create")');
  const token = await page.innerText("dialog code >> nth=0");
  assert.match(token, /^cbo_/);
  await assertAccessible(page);
  await page.click("dialog #this-machine > summary");
  await page.click('dialog summary:has-text("Package")');
  await assertAccessible(page);
  const { body } = await register(world, token);
  const runner = await findRunner(world.kv, body.runner_id);
  await touchRunner(world.deps, runner!, crypto.randomUUID(), FACTS);
  await page.waitForSelector('dialog .alert-success:has-text("The runner is connected.")');
  assert.ok(await page.isVisible("dialog >> text=callboard-runner"), "what was opened stays open");
  assert.equal(await page.innerText("dialog code >> nth=0"), token);
  await page.click('dialog a:has-text("Done")');
  await page.goto(`${list}/${body.runner_id}`);
  await page.waitForSelector(".chip-success");
  await page.click('button:has-text("Pause")');
  await page.waitForSelector(".chip-warning:has-text('Paused')");
  await page.context().close();

  for (const options of [{ javaScriptEnabled: false }, { colorScheme: "dark" } as const]) {
    const viewport = { width: 390, height: 844 };
    await using small = await lookAt(world, "mike", { viewport, ...options });
    const phone = small.page;
    for (const path of [list, `${list}/new`, `${list}/tokens`, `${list}/${body.runner_id}`]) {
      await phone.goto(path);
      await assertFitsWidth(phone);
      if (!("javaScriptEnabled" in options)) await assertAccessible(phone);
    }
  }
});
