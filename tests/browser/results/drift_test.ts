import assert from "node:assert/strict";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DIFF = "--- before: /etc/motd\n+++ after: /etc/motd\n@@ -1 +1 @@\n-by hand\n+by the book\n";
const drifted: Partial<HostResult> = { status: "changed", changed: true, diff: DIFF };
const SAID: Partial<HostResult>[] = [
  drifted,
  {},
  { status: "unreachable" },
  {},
  { unchecked: true, status: "skipped" },
];

async function checked(world: World, hosts: Record<string, Partial<HostResult>>, at: number) {
  const run = await reportedTask(world, { check: true });
  await run.report(play("Web", false, at), task("motd", at));
  for (const [host, more] of Object.entries(hosts)) {
    await run.report(result("motd", host, { began: at, ended: at + 1, ...more }));
  }
  await run.report({ type: "end", at, lost: 0, checkMode: [] });
  await run.end("success", { end: new Date(at + 2).toISOString() });
  await storeDueDrift(world.deps);
}

Deno.test("hosts that differ are chosen and fixed, on phones and in the dark too", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 15 }, (_, n) => `web${n + 1}.example.com`);
  const now = world.clock.now().getTime();
  await checked(world, Object.fromEntries(names.map((name) => [name, {}])), now - 7_200_000);
  const said = names.map((name, n) => [name, SAID[n % SAID.length]] as const);
  await checked(world, Object.fromEntries(said), now - 60_000);
  await using visit = await lookAt(world, "bob", { viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  const deploy = world.deploy.id;
  const project = `/project/${world.web.id}/drift`;
  const template = `/project/${world.web.id}/templates/${deploy}/drift`;
  await page.goto(project);
  await assertAccessible(page);
  await page.goto(template);
  await assertAccessible(page);
  const heights = await page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height)
  );
  assert.ok(heights.length === 15 && Math.max(...heights) <= 48, heights.join());
  // The page follows a later check.
  await checked(world, Object.fromEntries(said.slice(0, 14)), now - 30_000);
  await page.waitForSelector("text=Hosts that differ: 3 of 15");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [project, template, "/drift"]) {
    await page.goto(path);
    await assertFitsWidth(page);
    await assertAccessible(page);
  }
  await page.goto(template);
  await page.check(`#choice-${deploy}-web1\\.example\\.com`);
  await page.check(`#choice-${deploy}-web6\\.example\\.com`);
  await page.click('button:has-text("Accept differences")');
  await page.waitForSelector("h1:has-text('Accept differences')");
  await assertFitsWidth(page);
  await page.goto(template);
  await page.check(`#choice-${deploy}-web1\\.example\\.com`);
  await page.click('button:has-text("Preview and fix")');
  await page.waitForURL(/t=\d+/);

  // All hosts that need a change are chosen together, also without a script.
  await page.goto(project);
  await page.waitForSelector("text=Chosen: 0");
  await page.check(`[value="${deploy}:Task motd"]`);
  await page.check(`#choice-${deploy}-web1\\.example\\.com`);
  await page.waitForSelector("text=Chosen: 2");
  await using plain = await lookAt(world, "bob", { javaScriptEnabled: false });
  await plain.page.goto(project);
  await plain.page.check(`[value="${deploy}:Task motd"]`);
  await plain.page.click('button:has-text("Preview and fix")');
  await plain.page.waitForURL(/t=\d+/);
});
