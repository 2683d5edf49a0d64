import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  isQuiet,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { storeOutputs } from "@/lib/tasks/outputs.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const isReady = (page: Page) => page.locator(".log-tools:not(.log-tools-unready)").waitFor();

const over = ({ web, deploy }: World, { id }: { id: number }) =>
  `/project/${web.id}/templates/${deploy.id}?t=${id}`;

Deno.test("the page of a running task loads completely, with the tools of the dialog", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 300);
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  // The browser's first page: no script has run in it yet.
  await page.goto(`${task.path}#L290`);
  await isQuiet(page);
  await isReady(page);
  assert.equal(await page.title(), `#${task.id} Deploy shop - Running - Web shop - Callboard`);
  await task.write(301, 310);
  await page.locator("#L310").waitFor();
  await page.getByRole("searchbox", { name: "Search the output" }).fill("line 77");
  await page.getByText("1 match").waitFor();
  await page.getByRole("log").focus();
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement?.id === "task-log");
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement === null);
  await assertAccessible(page);

  await page.getByRole("link", { name: "Hosts" }).and(page.locator("#task-tab-hosts")).click();
  await page.getByText("No host results yet").waitFor();
  await page.goBack();
  await isReady(page);
  await task.end();
  await page.getByRole("status").filter({ hasText: "Success" }).waitFor();

  // Both would have the same ids, so a new task is not shown over this one.
  await page.getByRole("link", { name: "Run again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Run/ }).click();
  await page.waitForURL(/\/templates\/\d+\?t=\d+$/);
  await page.getByRole("dialog").locator(".task-waits").waitFor();
  assert.equal(await page.locator("#task-log").count(), 1);
  assert.deepEqual(problems, []);
});

Deno.test("a browser whose scripts were disabled later follows the stream all the same", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 300);
  await using visit = await lookAt(world, "bob", { javaScriptEnabled: false });
  const { page, url } = visit;
  await page.context().addCookies([{ name: "zone", value: "Asia%2FTokyo", url }]);
  await page.goto(task.path, { waitUntil: "commit" });
  await page.waitForURL(/scriptless=true/, { waitUntil: "commit" });
  await page.locator("#L300").waitFor();
  await task.write(301, 302);
  await page.locator("#L302").waitFor();
  await task.end();
  await page.getByRole("log").getByText("Success").waitFor();
});

/** Counts layout shifts, as the browser rates them. */
const COUNT_SHIFTS = () => {
  const rated = globalThis as { shifted?: number };
  rated.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      rated.shifted! += (entry as PerformanceEntry & { value: number }).value;
    }
  }).observe({ type: "layout-shift", buffered: true });
};

Deno.test("a task opens by its address where it stays, and on phones with its output in sight", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 500);
  await task.print("PLAY [all] ***", "TASK [one] ***", "\x1b[0;31mfatal: [a]: FAILED!\x1b[0m");
  await task.write(504, 700);
  const start = new Date(Date.now() - 180_000).toISOString();
  await task.fail(503, { start, end_reason: { key: "errors.run.galaxy_failed" } });
  for (const width of [1280, 360]) {
    await using visit = await lookAt(world, "bob", { viewport: { width, height: 800 } });
    const { page } = visit;
    await page.addInitScript(COUNT_SHIFTS);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 100_000,
    });
    for (const address of [over(world, task), task.path]) {
      await session.send("Network.clearBrowserCache");
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      await page.goto(address, { waitUntil: "commit" });
      await isReady(page);
      await isAlive(page);
      await page.getByRole("log").getByText("1 failure").waitFor();
      const shifted = await page.evaluate(() => (globalThis as { shifted?: number }).shifted!);
      assert.ok(shifted < 0.02, `${width} px, ${address}: ${shifted}`);
      // A slower processor is only emulated by wasting three quarters of this one.
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      await page.getByRole("button", { name: "First failure" }).waitFor();
      await assertFitsWidth(page);
      if (width < 600) {
        // Loading it once more in this width would take four times as long as all the rest.
        await page.setViewportSize({ width: 390, height: 800 });
        await assertOutputInSight(page);
        await assertFitsWidth(page);
        await page.setViewportSize({ width, height: 800 });
        await assertOutputInSight(page);
      }
      await page.getByLabel("Follow").check();
      await page.locator("#L700").waitFor();
      // The reason leads to its line, without another page.
      await page.locator(".task-reason a").click();
      await page.locator("#L503.log-found").waitFor();
      assert.ok(page.url().endsWith(address), page.url());
    }
  }
});

async function assertOutputInSight(page: Page) {
  const { y } = (await page.getByRole("log").boundingBox())!;
  assert.ok(y + 8 <= 240, `${page.url()}: ${y} px before the log`);
}

/** Stores outputs of a task, as its run does before its end. */
async function report(world: World, id: number, outputs: Record<string, string>) {
  const op = world.kv.atomic();
  storeOutputs(op, { id, project_id: world.web.id }, new Map(Object.entries(outputs)));
  await op.commit();
}

Deno.test("outputs appear when the task ends, can be read and copied, and are only text", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await using visit = await lookAt(world, "carol", {
    viewport: { width: 390, height: 800 },
    colorScheme: "dark",
  });
  const { page, problems } = visit;
  await page.goto(task.path);
  await isQuiet(page);
  await report(world, task.id, {
    html: "<img src=x onerror=alert(1)>\u202e",
    notes: Array.from({ length: 40 }, (_, n) => `line ${n} of it`).join("\n"),
    url: `https://example.com/${"long/".repeat(15)}`,
    version: "1.2",
    whole: "x".repeat(32 * 1024),
  });
  await task.end();
  const list = page.locator("#task-outputs-list");
  await list.getByText("Outputs").first().waitFor();
  assert.equal(await page.locator("[data-live*=outputs]").count(), 0);
  await list.locator("summary").first().click();
  await list.getByText("<img src=x onerror=alert(1)>\\u202e").waitFor();
  await list.getByRole("link", { name: "Show all outputs as JSON" }).waitFor();
  await list.locator("#task-output-notes-fold > summary").click();
  await list.getByText("line 39 of it").waitFor();
  assert.equal(await list.getByRole("button", { name: "Copy: version" }).count(), 1);
  await assertFitsWidth(page);
  await assertAccessible(page);
  assert.deepEqual(problems, []);
});

Deno.test("outputs are shown without a script, above an output that has ended and below one that ends", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await using visit = await lookAt(world, "carol", { javaScriptEnabled: false });
  const { page } = visit;
  const opened = page.goto(task.path);
  await page.locator("#L3").waitFor();
  await report(world, task.id, { version: "1.2" });
  await task.end();
  await opened;
  assert.equal(
    await page.locator("#L3 ~ * #task-output-version, .log-box ~ * #task-output-version").count(),
    1,
  );
  await page.reload();
  await page.locator("#task-outputs-list summary").click();
  await page.locator("#task-output-version").getByText("1.2").waitFor();
});
