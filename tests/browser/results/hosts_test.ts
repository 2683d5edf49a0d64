import assert from "node:assert/strict";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Longer than any column. */
const LONG = "host-that-somebody-named-far-too-long".repeat(4);
const STATUSES = ["ok", "changed", "failed", "unreachable", "skipped"] as const;

async function fill(world: World): Promise<void> {
  const hosts = [LONG, ...Array.from({ length: 44 }, (_, n) => `web${n}.example.com`)];
  for (let run = 0; run < 6; run++) {
    const told = await reportedTask(world);
    await told.report(play("Web"), task("a"), task("b"));
    for (const [n, host] of hosts.entries()) {
      const status = STATUSES[(n + run) % 5];
      await told.report(result("a", host, { status }), result("b", host, { status: "ok" }));
    }
    await told.end();
  }
  await rememberDue(world.deps);
}

Deno.test("hosts are found, sorted and forgotten in place, and fit phones and the dark", async () => {
  await using world = await newWorld();
  await fill(world);
  const list = `/project/${world.web.id}/hosts`;
  await using visit = await lookAt(world, "mike", { viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  await page.goto(list);
  await assertAccessible(page);
  const heights = await page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height)
  );
  assert.ok(heights.length === 20 && Math.max(...heights) <= 48, heights.join());
  await page.fill("#hosts-filter", "web3");
  await page.waitForSelector("text=1–11 of 11");
  assert.match(page.url(), /\?q=web3/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "hosts-filter");
  await page.click("th >> text=State");
  await page.waitForSelector("th[aria-sort=ascending] >> text=State");
  assert.equal(await page.locator("tbody tr").count(), 11);
  await page.click('[title="Forget web3.example.com"]');
  await page.click('dialog button:has-text("Forget")');
  await page.waitForSelector("text=Host web3.example.com was removed");
  assert.match(await page.innerText(".pagination"), /1–10 of 10/);
  // The host comes again, and the list that shows it does not take the message away.
  const told = await reportedTask(world);
  await told.report(play("Web"), task("a"), result("a", "web3.example.com", { status: "ok" }));
  await told.end();
  await rememberDue(world.deps);
  await page.waitForSelector("text=1–11 of 11");
  assert.equal(await page.locator("body > .flash").count(), 1);
  await page.click("text=web30.example.com");
  await page.waitForSelector("h1:has-text('web30.example.com')");
  await assertAccessible(page);
  const hidden = await page.locator(".table-frame").evaluate((frame) =>
    frame.scrollWidth - frame.clientWidth
  );
  assert.equal(hidden, 0, "columns that one has to scroll to");
  await page.context().close();

  for (const options of [{ javaScriptEnabled: false }, { colorScheme: "dark" } as const]) {
    const viewport = { width: 390, height: 844 };
    await using small = await lookAt(world, "mike", { viewport, ...options });
    const phone = small.page;
    for (const path of [list, `${list}/${LONG}`, `${list}/${LONG}/delete`]) {
      await phone.goto(path);
      await assertFitsWidth(phone);
      if (!("javaScriptEnabled" in options)) await assertAccessible(phone);
    }
  }
});

Deno.test("an open list of hosts follows runs as they end, and keeps the focus", async () => {
  await using world = await newWorld();
  await fill(world);
  await using visit = await lookAt(world, "carol", { viewport: { width: 1280, height: 900 } });
  const { page, problems } = visit;
  const streams = page.waitForRequest(/host_events/);
  await page.goto(`/project/${world.web.id}/hosts?sort=run`);
  await streams;
  await page.locator("#hosts-filter").focus();
  const told = await reportedTask(world);
  await told.report(play("Web"), task("a"), result("a", "a-new-one", { status: "changed" }));
  await told.end();
  await rememberDue(world.deps);
  await page.getByRole("link", { name: "a-new-one" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "hosts-filter");
  assert.match(await page.innerText(".pagination"), /1–20 of 46/);
  assert.deepEqual(problems, []);
});
