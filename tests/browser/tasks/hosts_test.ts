import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { HOSTS, largeRun, TASKS } from "@/tests/support/world/large_run.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ path }: { path: string }) => path.replace("/api", "");
const grid = (page: Page) => page.getByRole("grid");
const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name, exact: true });
/** The name of the focused element. */
const focused = async (page: Page) =>
  await page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });

/** A world with a large run, which is made once because no test changes it. */
let large: ReturnType<typeof newLarge> | undefined;
const largeTask = () => large ??= newLarge();
Deno.test.afterAll(async () => await (await large)?.world[Symbol.asyncDispose]());

async function newLarge() {
  const world = await newWorld();
  const run = await reportedTask(world);
  for (const event of largeRun()) await run.report(event);
  await run.end();
  return { world, run };
}

const DIFF = "--- before: /etc/motd\n+++ after: /etc/motd\n@@ -1 +1 @@\n-old\n+new\n";

/** Creates a running play on three hosts, with an Ansible task that changed nothing. */
async function smallTask(world: World) {
  const run = await reportedTask(world);
  for (const line of ["one", "two", "three", "four", "five"]) await run.output.write(line);
  await run.output.flush();
  await run.report(
    play("Web servers"),
    task("a"),
    ...["web", "db", "cache"].map((host) => result("a", host)),
    task("b"),
    result("b", "web", { status: "changed", diff: DIFF, lines: { from: 4, to: 5 } }),
    result("b", "db", { status: "failed", message: "no space left" }),
    result("b", "cache", { status: "skipped" }),
  );
  await run.flush();
  return run;
}

/**
 * Scrolls over the whole matrix, one frame at a time. Returns the page's processor time per frame,
 * in milliseconds.
 */
async function scrollThrough(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  // Time that the page's thread worked, which does not depend on how busy the machine is.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
  };
  const before = await worked();
  const frames = await page.locator("#matrix").evaluate(async (box) => {
    const frames = 120;
    for (let n = 0; n < frames; n++) {
      if (n < frames / 2) box.scrollTop += 120;
      else box.scrollLeft += 60;
      // A browser that draws nothing for a while, on a busy machine, calls back late or never.
      const isDrawn = new Promise((resolve) => requestAnimationFrame(resolve));
      await Promise.race([isDrawn, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    }
    return frames;
  });
  return (await worked() - before) / frames;
}

Deno.test("the matrix of 500 hosts x 200 tasks holds what is in sight, and scrolls without long frames", async () => {
  const { world, run } = await largeTask();
  await using visit = await lookAt(world, "carol", { viewport: { width: 1280, height: 900 } });
  const { page, problems } = visit;
  await page.goto(`${pageOf(run)}/hosts?view=matrix`);
  await grid(page).waitFor();
  const nodes = () => page.locator(".matrix *").count();
  assert.ok(await nodes() < 8_000, `${await nodes()} elements`);
  assert.equal(await grid(page).getAttribute("aria-rowcount"), String(HOSTS + 3));
  assert.equal(await grid(page).getAttribute("aria-colcount"), String(TASKS + 1));
  const ms = await scrollThrough(page);
  assert.ok(ms < 50, `${ms} ms a frame`);
  assert.ok(await nodes() < 8_000, `${await nodes()} elements`);
  await page.locator("#matrix").evaluate((box) => box.scrollTo(1e6, 1e6));
  await link(page, /^host-500\.example\.com, Task t\d+: \w+$/).first().waitFor();
  await assertFitsWidth(page);
  assert.deepEqual(problems, []);
});

Deno.test("keys walk over all of a matrix, and from a cell to its result and back", async () => {
  const { world, run } = await largeTask();
  await using visit = await lookAt(world, "carol");
  const { page, problems } = visit;
  await page.goto(`${pageOf(run)}/hosts?view=matrix`);
  await grid(page).waitFor();
  await link(page, "host-77.example.com").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await focused(page), /^host-77\.example\.com, Task t\d+: failed$/);
  await page.keyboard.press("Control+End");
  assert.match(await focused(page), /^host-500\.example\.com, Task t\d+: \w+$/);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator("#result").waitFor();
  assert.match(await page.locator("#result").textContent() ?? "", /It failed on host 77 at 151/);
  await page.waitForFunction(() => document.activeElement?.id === "result");
  assert.ok(await grid(page).isVisible(), "the matrix is still there");
  await link(page, "Close the result").press("Enter");
  await page.locator("#result").waitFor({ state: "detached" });
  assert.match(await focused(page), /^host-77\.example\.com, Task t151: failed$/);
  assert.equal(await page.locator("#matrix [tabindex='0']").count(), 1);
  assert.deepEqual(problems, []);
});

Deno.test("tabs of a task change in place over another page, and show what comes while it runs", async () => {
  await using world = await newWorld();
  const run = await smallTask(world);
  await using visit = await lookAt(world, "carol", { colorScheme: "dark" });
  const { page, problems } = visit;
  await page.goto(`/project/${world.web.id}/history?t=${run.id}`);
  await isAlive(page);
  await page.locator(".log-tools:not(.log-tools-unready)").waitFor();
  await page.evaluate(() => Object.assign(globalThis, { here: true }));
  const tab = page.locator("#task-tab-hosts");
  await tab.press("Enter");
  await link(page, "db").waitFor();
  assert.match(page.url(), /history\?t=\d+&tab=hosts$/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "task-tab-hosts");
  await assertAccessible(page);
  await page.getByLabel("changed (1)").check();
  await link(page, "db").waitFor({ state: "detached" });
  assert.match(page.url(), /&tab=hosts&tab_state=changed/);
  await page.getByLabel("changed (1)").uncheck();
  await link(page, "db").waitFor();
  await page.getByRole("link", { name: "Matrix" }).click();
  await link(page, "web, Task b: changed").click();
  await page.locator(".diff-added").getByText("+new").waitFor();
  assert.match(await page.locator("#task-tab").textContent() ?? "", /1 Ansible task is hidden/);
  await assertAccessible(page);
  await run.report(result("b", "late", { status: "unreachable" }));
  await run.flush();
  await link(page, "late, Task b: unreachable").waitFor();
  await link(page, "Line 4").click();
  await page.locator("#L4.log-found").waitFor();
  assert.ok(await page.evaluate(() => "here" in globalThis), "no page was loaded");
  await page.keyboard.press("Escape");
  await page.waitForURL(/history(#|$)/);
  assert.deepEqual(problems, []);
});

Deno.test("a change that comes while its page is looked at can be copied", async () => {
  await using world = await newWorld();
  const run = await smallTask(world);
  const permissions = ["clipboard-read", "clipboard-write"];
  await using visit = await lookAt(world, "carol", { permissions });
  const { page, problems } = visit;
  await page.goto(`${pageOf(run)}/changes`);
  await page.getByRole("button", { name: /^Copy the diff of .*motd/ }).waitFor();
  const diff = DIFF.replaceAll("motd", "issue");
  await run.report(task("c"), result("c", "web", { status: "changed", diff }));
  await run.flush();
  await page.getByRole("button", { name: /^Copy the diff of .*issue/ }).click();
  await page.getByText("The diff has been copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), diff);
  assert.deepEqual(problems, []);

  // A page over plain http has no clipboard, and explains that.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.getByRole("button", { name: /^Copy the diff of .*issue/ }).click();
  await page.getByRole("alert").getByText("the browser allows it only on https pages").waitFor();
  await assertAccessible(page);
});

Deno.test("a matrix whose script comes after the first news is woken all the same", async () => {
  await using world = await newWorld();
  const run = await smallTask(world);
  await using visit = await lookAt(world, "carol");
  const { page } = visit;
  await page.goto(`${pageOf(run)}/hosts`);
  const stream = page.waitForRequest(/events\?page=.*matrix/);
  await page.route("**/MatrixGrid-*.js", async (route) => {
    await stream;
    await new Promise((go) => setTimeout(go, 1_000));
    await route.fallback();
  });
  await page.getByRole("link", { name: "Matrix" }).click();
  await grid(page).waitFor();
  await run.report(result("b", "late", { status: "unreachable" }));
  await run.flush();
  await link(page, "late, Task b: unreachable").waitFor();
});

Deno.test("without a script the matrix is a table of links in parts, and each leads to its result", async () => {
  const { world, run } = await largeTask();
  await using visit = await lookAt(world, "carol", { javaScriptEnabled: false });
  const { page } = visit;
  await page.goto(`${pageOf(run)}/hosts`);
  await page.getByRole("link", { name: "Matrix" }).click();
  await page.locator(".matrix").waitFor();
  assert.equal(await page.locator(".matrix tbody tr").count(), 50);
  assert.equal(await page.locator(".matrix-task").count(), 40);
  await page.getByRole("link", { name: "Ansible tasks after" }).click();
  await page.getByText("Ansible tasks 41 to 80 of 200").waitFor();
  await page.getByRole("link", { name: "Hosts after" }).click();
  await page.getByText("Hosts 51 to 100 of 500").waitFor();
  await page.locator(".matrix-cell.result-changed").first().click();
  await page.waitForURL(/#result$/);
  await page.locator("#result .diff-added").first().waitFor();
  await page.getByRole("link", { name: "Close the result" }).click();
  await page.getByText("Hosts 51 to 100 of 500").waitFor();
});

Deno.test("a phone has the list of hosts, and each leads to its results", async () => {
  await using world = await newWorld();
  const run = await smallTask(world);
  await run.end();
  await using visit = await lookAt(world, "carol", { viewport: { width: 390, height: 800 } });
  const { page, problems } = visit;
  await page.goto(`${pageOf(run)}/hosts?view=matrix`);
  await link(page, "db").waitFor();
  assert.ok(!await page.locator(".matrix").isVisible());
  await assertFitsWidth(page);
  await assertAccessible(page);
  await link(page, "db").click();
  await link(page, "Task b").click();
  await page.locator("#result").getByText("no space left").waitFor();
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.goBack();
  await link(page, "web").waitFor();
  assert.deepEqual(problems, []);
});

/** Creates an Ansible task that has ended on one host, with the module's full answer. */
async function answeredTask(world: World) {
  const run = await reportedTask(world);
  const value = {
    changed: true,
    rc: 1,
    cmd: ["sh", "-c", "echo long"],
    stdout: `${"a long line of the output ".repeat(20)}\nthe end…`,
    stderr: "no space left",
    invocation: { module_args: { _raw_params: "sh -c 'echo long'", creates: "/tmp/x".repeat(30) } },
    warnings: ["x".repeat(300)],
    results: [{ ansible_loop_var: "item", item: "first", rc: 0, stdout: "one" }],
  };
  const full = { value, shortened: [{ path: ["stdout"], length: 70_000 }] };
  await run.report(play("Web"), task("a"), result("a", "web", { status: "failed", full }));
  await run.end();
  return { run, value };
}

Deno.test("all that a module answered can be read and copied, on a phone and in the dark", async () => {
  await using world = await newWorld();
  const { run, value } = await answeredTask(world);
  for (const colorScheme of ["light", "dark"] as const) {
    await using visit = await lookAt(world, "carol", {
      colorScheme,
      viewport: { width: 390, height: 844 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page, problems } = visit;
    await page.goto(`${pageOf(run)}/hosts?host=1&result=100001`);
    for (const name of ["Module arguments", "Other values", "As JSON", "first"]) {
      await page.locator("summary", { hasText: name }).first().press("Enter");
      await page.locator("details[open] > summary", { hasText: name }).first().waitFor();
    }
    await page.getByRole("button", { name: "Copy: As JSON" }).click();
    await page.getByText("Copied to the clipboard.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(JSON.parse(copied), value);
    await assertAccessible(page);
    await assertFitsWidth(page);
    assert.deepEqual(problems, []);
  }
});

Deno.test("all that a module answered is there without a script too", async () => {
  await using world = await newWorld();
  const { run } = await answeredTask(world);
  await using visit = await lookAt(world, "carol", { javaScriptEnabled: false });
  const { page } = visit;
  await page.goto(`${pageOf(run)}/hosts?host=1`);
  await page.getByRole("link", { name: "Task a" }).click();
  await page.getByText("no space left").first().waitFor();
  await page.locator("summary", { hasText: "As JSON" }).click();
  await page.getByText('"rc": 1').waitFor();
});
