import assert from "node:assert/strict";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { assertAccessible, assertFitsWidth, newContexts } from "@/tests/support/browser.ts";
import type { BrowserContextOptions } from "@/tests/packages/playwright.ts";
import { FACTS, register, registeredRunner } from "@/tests/support/runners.ts";
import { serveWorld } from "@/tests/support/serve_world.ts";
import { newWorld } from "@/tests/support/world.ts";

Deno.test("a runner is created in a dialog, and appears when its program connects", async () => {
  await using world = await newWorld();
  await registeredRunner(world, {
    name: "a-name-that-is-too-long-".repeat(4),
    labels: "dmz, eu-1",
  });
  const { url, stop } = serveWorld(world);
  const contexts = await newContexts();
  const list = `/project/${world.web.id}/runners`;
  const open = async (options: BrowserContextOptions) => {
    const context = await contexts.open({ baseURL: url, ...options });
    await context.addCookies([{ name: "callboard", value: world.people.mike.token, url }]);
    return await context.newPage();
  };
  try {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await page.goto(list);
    await assertAccessible(page);
    const heights = await page.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) => row.getBoundingClientRect().height)
    );
    assert.ok(Math.max(...heights) <= 48, heights.join());
    await page.click("text=New runner");
    await page.fill("dialog [name=name]", "dmz-9");
    await page.click('dialog button:has-text("Create")');
    const token = await page.innerText("dialog code >> nth=0");
    assert.match(token, /^cbo_/);
    await assertAccessible(page);
    const { body } = await register(world, token);
    await page.click('dialog a:has-text("Done")');
    await page.goto(`${list}/${body.runner_id}`);
    await page.waitForSelector("text=Never connected");
    await assertAccessible(page);
    const runner = await findRunner(world.kv, body.runner_id);
    await touchRunner(world.deps, runner!, crypto.randomUUID(), FACTS);
    await page.waitForSelector(".chip-success");
    await page.click('button:has-text("Pause")');
    await page.waitForSelector(".chip-warning:has-text('Paused')");
    await page.context().close();

    for (const options of [{ javaScriptEnabled: false }, { colorScheme: "dark" } as const]) {
      const phone = await open({ viewport: { width: 390, height: 844 }, ...options });
      for (const path of [list, `${list}/new`, `${list}/tokens`, `${list}/${body.runner_id}`]) {
        await phone.goto(path);
        await assertFitsWidth(phone);
        if (!("javaScriptEnabled" in options)) await assertAccessible(phone);
      }
      await phone.context().close();
    }
  } finally {
    await contexts[Symbol.asyncDispose]();
    await stop();
  }
});
