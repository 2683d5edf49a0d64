import assert from "node:assert/strict";
import type { Locator, Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const LINES = 1_000_000;

const log = (page: Page) => page.getByRole("log");
const row = (page: Page, line: number) => log(page).locator(`#L${line}`);
/** The numbers of the first and the last visible row, and whether a row between them is blank. */
const inSight = (page: Page) =>
  log(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    const rows = [...box.querySelectorAll(".log-line")].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.bottom > top + 1 && place.top < bottom - 1;
    });
    return {
      first: Number(rows[0]?.id.slice(1)),
      last: Number(rows.at(-1)?.id.slice(1)),
      blank: rows.filter((row) => !row.querySelector(".log-text")).length,
    };
  });
const scrollTo = (page: Page, part: number) =>
  log(page).evaluate((box, part) => void (box.scrollTop = box.scrollHeight * part), part);
/** Turns the wheel up. A busy browser may lose a turn, and a person would turn it again. */
async function turnWheelTo(page: Page, row: Locator): Promise<void> {
  const isShown = () => row.waitFor({ timeout: 5_000 }).then(() => true, () => false);
  await until(async () => {
    await page.mouse.wheel(0, -500);
    return await isShown();
  });
}

const isReady = (page: Page) => page.locator(".log-tools:not(.log-tools-unready)").waitFor();
const addressOf = ({ web }: World, { id }: { id: number }) => `/project/${web.id}/history?t=${id}`;

/** Returns the bytes that the page's script uses. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

Deno.test("a log of a million lines opens at its end, is read anywhere, and is as light as a short one", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, LINES);
  await task.end();
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  await page.goto(addressOf(world, task));
  await row(page, LINES).waitFor();
  await isReady(page);
  await page.getByText("1,000,000 lines").waitFor();
  assert.equal((await inSight(page)).last, LINES);
  assert.ok(await page.getByLabel("Follow").isChecked());

  await log(page).hover();
  for (let line = LINES - 50; line > LINES - 300; line -= 25) {
    // Scrolls as far as rows are rendered: in a log as long as this one, others are less high.
    await turnWheelTo(page, row(page, line - 25));
  }
  assert.ok(!await page.getByLabel("Follow").isChecked());

  for (const part of [0, 0.5, 0.9, 0.1]) {
    await scrollTo(page, part);
    const wanted = Math.max(1, Math.round(part * LINES));
    await page.waitForFunction((wanted) => {
      const row = document.querySelector(`#L${wanted} .log-text`);
      return row?.textContent === `this is line ${wanted}`;
    }, wanted + 5);
    const { first, blank } = await inSight(page);
    assert.ok(
      Math.abs(first - wanted) < 20 && blank === 0,
      `${first} for ${wanted}, ${blank} blank`,
    );
  }
  const nodes = await page.evaluate(() => document.querySelectorAll(".log-line").length);
  assert.ok(nodes < 250, `${nodes} rows`);
  const heap = await heapOf(page);
  assert.ok(heap < 30_000_000, `${heap} bytes`);
  await page.getByLabel("Follow").check();
  await row(page, LINES).waitFor();
  await assertAccessible(page);
  assert.deepEqual(problems, []);
});

Deno.test("the search finds lines that the page does not hold, and Escape takes it back first", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 20_000);
  await task.end();
  await using visit = await lookAt(world, "bob");
  const { page } = visit;
  await page.goto(addressOf(world, task));
  await isReady(page);
  const search = page.getByRole("searchbox");
  const edge = () => search.evaluate((field) => getComputedStyle(field).borderColor);
  const calm = await edge();
  for (const width of [640, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const box = (await search.boundingBox())!;
    assert.ok(box.width >= 200, `the field is ${box.width} px wide in ${width} px`);
  }
  await page.getByRole("button", { name: "Regular expression" }).click();
  await search.fill("(");
  await page.waitForFunction(
    ([field, calm]) => getComputedStyle(field as Element).borderColor !== calm,
    [await search.elementHandle(), calm] as const,
  );
  await search.fill("LINE 777");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await search.blur();
  await page.getByText("11 matches").waitFor();
  assert.equal(await edge(), calm, "a right expression is not marked");
  await search.press("Enter");
  await page.getByText("1 of 11 matches").waitFor();
  await page.locator("#L777.log-found").waitFor();
  await search.press("Enter");
  await page.locator("#L7770.log-found").waitFor();
  await page.getByRole("button", { name: "Previous match" }).click();
  await page.locator("#L777.log-found").waitFor();
  await assertAccessible(page);
  await search.press("Escape");
  assert.equal(await search.inputValue(), "");
  assert.ok(await log(page).isVisible(), "the log is still there");
  await search.press("Escape");
  await log(page).waitFor({ state: "detached" });
});

Deno.test("an address leads to its line, and a line's number names it", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 20_000);
  await task.end();
  await using visit = await lookAt(world, "bob");
  const { page } = visit;
  await page.goto(`${addressOf(world, task)}&line=812`);
  await page.locator("#L812.log-found").waitFor();
  await isReady(page);
  await page.getByText("20,000 lines").waitFor();
  const { first, last } = await inSight(page);
  assert.ok(first < 812 && last > 812, `${first} to ${last}`);
  await row(page, 815).getByRole("link").click();
  await page.locator("#L815.log-found").waitFor();
  assert.match(page.url(), /\?t=\d+&line=815$/);
  await page.reload();
  await page.locator("#L815.log-found").waitFor();
});

Deno.test("long lines are wrapped on demand, which is remembered, and the place stays", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  const texts = Array.from({ length: 5_000 }, (_, n) => `${n + 1} ${"word ".repeat(n % 7 * 40)}`);
  await task.print(...texts);
  await task.end();
  await using visit = await lookAt(world, "bob", { viewport: { width: 900, height: 700 } });
  const { page, problems } = visit;
  await page.goto(`${addressOf(world, task)}&line=2500`);
  await isReady(page);
  const topOf = async () => Math.round((await row(page, 2_500).boundingBox())!.y);
  const before = (await inSight(page)).first;
  await page.getByLabel("Wrap lines").check();
  assert.equal((await inSight(page)).first, before, "the row at the top stays there");
  const wide = await log(page).evaluate((box) => box.scrollWidth - box.clientWidth);
  assert.ok(wide <= 0, `${wide} px beside`);
  await page.reload();
  await isReady(page);
  await page.getByLabel("Wrap lines").and(page.locator(":checked")).waitFor();
  await row(page, 2_500).waitFor();
  const opened = await inSight(page);
  assert.ok(opened.first <= 2_500 && opened.last >= 2_500, JSON.stringify(opened));
  await log(page).hover();
  let last = (await inSight(page)).first;
  for (let turn = 0; turn < 12; turn++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(60);
    const { first } = await inSight(page);
    assert.ok(first >= last && first - last < 40, `from ${last} to ${first}`);
    last = first;
  }
  assert.ok(await topOf().catch(() => 0) < 300, "it has been scrolled past");
  await scrollTo(page, 1);
  await row(page, 5_000).waitFor();
  assert.equal((await inSight(page)).last, 5_000);
  await scrollTo(page, 0);
  await row(page, 1).waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a running task's lines come once each, also over a cut, while the reader is elsewhere", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3_000);
  await using visit = await lookAt(world, "bob");
  const { page } = visit;
  await page.goto(addressOf(world, task));
  await isReady(page);
  await task.write(3_001, 3_500);
  await row(page, 3_500).waitFor();
  await log(page).hover();
  await page.mouse.wheel(0, -3_000);
  await page.getByLabel("Follow").and(page.locator(":not(:checked)")).waitFor();
  const { first } = await inSight(page);
  await page.context().setOffline(true);
  await task.write(3_501, 9_000);
  await page.context().setOffline(false);
  await page.getByText("9,000 lines").waitFor();
  assert.equal((await inSight(page)).first, first, "what is read stays where it is");
  for (const line of [3_499, 3_501, 5_000, 8_999]) {
    await scrollTo(page, (line - 5) / 9_000);
    await log(page).getByText(`this is line ${line}`, { exact: true }).waitFor();
    assert.equal(await row(page, line).count(), 1);
  }
  await task.end();
  await page.getByRole("status").filter({ hasText: "Success" }).waitFor();
  assert.equal(await page.title(), `#${task.id} Deploy shop - Success - Web shop - Callboard`);
});

Deno.test("the whole screen is for the log with a button or f, and its text can be taken away", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  await task.print("\x1b[0;31mfatal: [web1]: FAILED!\x1b[0m", "PLAY RECAP");
  await task.end();
  const permissions = ["clipboard-read", "clipboard-write"];
  await using visit = await lookAt(world, "bob", { permissions });
  const { page } = visit;
  await page.goto(addressOf(world, task));
  await isReady(page);
  const isFull = () => page.evaluate(() => document.fullscreenElement?.id ?? null);
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement?.id === "task-log");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Full screen" }).click();
  await page.waitForFunction(() => document.fullscreenElement === null);
  await page.getByRole("searchbox").pressSequentially("f");
  assert.equal(await isFull(), null, "there it is a letter");
  await page.getByRole("button", { name: "Copy the output" }).click();
  await page.getByText("The output has been copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, "fatal: [web1]: FAILED!\nPLAY RECAP\n");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as text" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), `task_${task.id}.txt`);
  await page.locator(".log-failure").waitFor();
});

Deno.test("a log takes keys from the moment that its tools are ready", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 20);
  await task.end();
  await using visit = await lookAt(world, "bob");
  const { page } = visit;
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(".log-tools:not(.log-tools-unready)")) return;
      observer.disconnect();
      const key = new KeyboardEvent("keydown", { key: "f", bubbles: true, cancelable: true });
      document.body.dispatchEvent(key);
      Object.assign(globalThis, { isTaken: key.defaultPrevented });
    }).observe(document, { subtree: true, attributes: true });
  });
  await page.goto(addressOf(world, task));
  await isReady(page);
  assert.equal(await page.evaluate(() => Reflect.get(globalThis, "isTaken")), true);
});

Deno.test("the dialog never covers a log that is full screen already", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 20);
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  const isFull = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    // The page's own script makes the dialog modal. The log's script may be quicker.
    if ((await response.text()).includes("showModal")) await isFull.promise;
    await route.fulfill({ response });
  });
  await page.goto(addressOf(world, task), { waitUntil: "commit" });
  await isReady(page);
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement?.id === "task-log");
  isFull.resolve();
  await isAlive(page);
  await task.write(21, 30);
  await row(page, 30).waitFor();
  await page.getByLabel("Wrap lines").check();
  await page.getByRole("button", { name: "Full screen" }).click();
  await page.waitForFunction(() => document.fullscreenElement === null);
  await page.locator("#over:modal").waitFor();
  assert.ok(await row(page, 30).isVisible());
  assert.deepEqual(problems, []);
});

Deno.test("without a script no button is dead, and the end is in sight", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 5_000);
  await task.end();
  await using visit = await lookAt(world, "bob", { javaScriptEnabled: false });
  const { page } = visit;
  await page.goto(addressOf(world, task));
  assert.ok(!await page.getByLabel("Follow").isVisible());
  assert.ok(!await page.getByRole("searchbox").isVisible());
  assert.ok(await row(page, 5_000).boundingBox().then((place) => place!.y < 720));
  await page.getByRole("link", { name: "Open as a page" }).click();
  await page.getByRole("searchbox").fill("line 4321");
  await page.getByRole("button", { name: "Search" }).click();
  await log(page).getByRole("link", { name: "4321" }).click();
  await page.locator("#L4321.log-found").waitFor();
  assert.ok(await row(page, 4_321).boundingBox().then((place) => place!.y < 720));
});

Deno.test("times are the reader's: their browser's, or those of the account", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 3);
  await task.end();
  const options = { timezoneId: "Asia/Kolkata", viewport: { width: 390, height: 800 } };
  await using visit = await lookAt(world, "bob", options);
  const { page, problems } = visit;
  await page.goto("/account/appearance");
  await page.getByText("Times are shown in Asia/Calcutta.").waitFor();
  await assertAccessible(page);
  await page.goto(addressOf(world, task));
  await isReady(page);
  await assertFitsWidth(page);
  await assertAccessible(page);
  const time = page.locator("#L3 time");
  assert.equal(await time.textContent(), "15:41:12", "10:11:12 in UTC");
  assert.equal(await time.getAttribute("title"), "2024-05-02 10:11:12 UTC");
  assert.deepEqual(problems, []);
});

/** Creates a run of many Ansible tasks on some hosts. One of them fails near its end. */
async function playedTask(world: World, tasks: number) {
  const task = await loggedTask(world, 0);
  await task.print("PLAY [all] ***", "");
  for (let n = 1; n <= tasks; n++) {
    await task.print(
      `TASK [step ${n}] ***`,
      ...Array.from({ length: 48 }, (_, host) => `\x1b[0;32mok: [web${host}]\x1b[0m`),
      ...(n === tasks - 5 ? ["\x1b[0;31mfatal: [db1]: FAILED!\x1b[0m"] : []),
      "",
    );
  }
  await task.print("PLAY RECAP ***");
  await task.end();
  return task;
}

Deno.test("tasks fold but what failed, keys lead to the first failure and through what is found", async () => {
  await using world = await newWorld();
  const task = await playedTask(world, 200);
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  await page.goto(addressOf(world, task));
  await isReady(page);
  await page.getByLabel("Fold", { exact: true }).check();
  await log(page).getByText("TASK [step 199]").waitFor();
  const { first, last } = await inSight(page);
  assert.ok(last - first > 200, `tasks are one row each: ${first} to ${last}`);
  await log(page).getByText("fatal: [db1]").waitFor();
  await assertAccessible(page);

  await scrollTo(page, 0);
  await log(page).getByText("TASK [step 3]").waitFor();
  const step = log(page).getByRole("button", { name: "Lines of TASK [step 3]" });
  assert.equal(await step.getAttribute("aria-expanded"), "false");
  await step.click();
  await row(page, 105).getByText("ok: [web1]").waitFor();
  assert.equal(await step.getAttribute("aria-expanded"), "true");

  await log(page).focus();
  await page.keyboard.press("e");
  const failure = 2 + 194 * 50 + 50;
  await page.locator(`#L${failure}.log-found`).getByText("fatal: [db1]").waitFor();

  await page.getByRole("searchbox").fill("WEB47");
  await page.getByText("200 matches").waitFor();
  await log(page).focus();
  await page.keyboard.press("n");
  await page.locator("#L51.log-found").waitFor();
  assert.deepEqual(await page.locator("#L51 mark").allInnerTexts(), ["web47"]);
  await page.keyboard.press("n");
  await page.locator("#L101.log-found").waitFor();
  await page.keyboard.press("Shift+N");
  await page.locator("#L51.log-found").waitFor();
  await page.getByRole("button", { name: "Match case" }).click();
  await page.getByText("0 matches").waitFor();
  await page.getByRole("button", { name: "Regular expression" }).click();
  await page.getByRole("searchbox").fill("web4[67]\\]$");
  await page.getByText("400 matches").waitFor();
  await page.locator("#L50 mark").getByText("web46]").waitFor();
  await assertAccessible(page);
  if (Deno.env.get("LOOK")) await page.screenshot({ path: "/tmp/marks.png" });
  await page.getByRole("searchbox").fill("web4[");
  await page.getByText("not a valid RE2 regular expression").waitFor();
  await assertAccessible(page);
  assert.deepEqual(problems.filter((problem) => !problem.includes("400")), []);
});

Deno.test("without script, on a phone in the dark, an output is searched, folded and outlined", async () => {
  await using world = await newWorld();
  const task = await playedTask(world, 20);
  await using visit = await lookAt(world, "bob", {
    javaScriptEnabled: false,
    colorScheme: "dark",
    viewport: { width: 390, height: 800 },
  });
  const { page } = visit;
  await page.goto(task.path);
  await page.getByText("Plays and Ansible tasks").click();
  await page.getByRole("link", { name: "TASK [step 7]" }).click();
  await page.locator("#L303.log-found").waitFor();
  await page.locator("#L303").getByText("TASK [step 7]").click();
  await page.locator("#L304").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "First failure" }).first().click();
  await page.locator("#L752.log-found").waitFor();
  await page.getByLabel("Regular expression").check();
  await page.getByRole("searchbox").fill("^TASK .*1\\]");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("2 matches in lines 1 to").waitFor();
  assert.deepEqual(await page.locator(".log-line mark").allInnerTexts(), [
    "TASK [step 1]",
    "TASK [step 11]",
  ]);
  if (Deno.env.get("LOOK")) await page.screenshot({ path: "/tmp/marks_phone.png" });
  await assertFitsWidth(page);
});

Deno.test("progress bars and colors are shown as in a terminal, and copied lines are only text", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  await task.print(
    "PLAY [all] ****",
    "TASK [Download] ****",
    "\x1b[33m 10%\r 50%\r100% done\x1b[K",
    "still yellow \x1b[7mreversed\x1b[0m",
    "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x1b[9mgone\x1b[29m",
    "TASK [Next] ****",
    "last line",
  );
  for (const [n, javaScriptEnabled] of [true, false].entries()) {
    if (n === 1) await task.end();
    await using visit = await lookAt(world, "bob", { javaScriptEnabled, colorScheme: "dark" });
    const { page } = visit;
    await page.goto(task.path);
    const log = page.getByRole("log");
    await log.getByText("last line").waitFor();
    const text = (id: string) => page.locator(`#L${id} .log-text`);
    assert.equal(await text("3").textContent(), "100% done");
    assert.equal(await text("5").textContent(), "link gone");
    const colour = (id: string) =>
      text(id).locator("span").first().evaluate((span) => getComputedStyle(span).color);
    assert.equal(await colour("4"), await colour("3"), "a color lasts until it is reset");
    assert.notEqual(await colour("7"), await colour("3"));
    if (javaScriptEnabled) await assertAccessible(page);
    const copied = await log.evaluate((box) => {
      getSelection()!.selectAllChildren(box);
      const lines = getSelection()!.toString().split("\n").map((line) => line.trim());
      return lines.filter((line) => line !== "");
    });
    assert.deepEqual(copied.slice(0, 7), [
      "PLAY [all] ****",
      "TASK [Download] ****",
      "100% done",
      "still yellow reversed",
      "link gone",
      "TASK [Next] ****",
      "last line",
    ]);
  }
  const { body } = await world.api("bob", "GET", `/api${task.path}/search?q=50%25`);
  assert.equal(body.found, 0, "what was overwritten is not shown");
});
