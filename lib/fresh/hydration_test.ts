import assert from "node:assert/strict";
import { chromium } from "@/tests/packages/playwright.ts";
import { buildConfig } from "./testdata/build_config.ts";
import { app } from "./testdata/main.ts";
import { Builder } from "./dev.ts";

const CHROMIUM = "/usr/bin/chromium";

Deno.test("in a browser, islands are hydrated and keep the elements that the server rendered", async () => {
  (await new Builder(buildConfig).build({ snapshot: "memory" }))(app);
  await using server = Deno.serve({ port: 0, onListen: () => {} }, app.handler());
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.addInitScript(() =>
      // The parser has finished, and no script of the page has started.
      document.addEventListener("readystatechange", () => {
        const first = document.querySelector(".counter");
        if (first) Object.assign(first, { isFromServer: true });
      }, { once: true })
    );
    // The policy upgrades URLs to https, except those of the local machine.
    await page.goto(`http://localhost:${(server.addr as Deno.NetAddr).port}/islands`);

    const buttons = page.locator(".counter > button:first-child");
    await page.waitForSelector("em[data-browser=true]");
    await buttons.first().click();
    await buttons.first().click();
    await buttons.last().click();
    assert.deepEqual(await buttons.allTextContents(), ["5", "6"]);
    const first = page.locator(".counter").first();
    assert.ok(await first.evaluate((element) => "isFromServer" in element));
    assert.equal(await first.getAttribute("data-label"), "</script><b>\u2028\u2029");

    await page.locator(".toggle").first().click();
    assert.equal(await page.locator(".counter b").textContent(), "opened");
    assert.deepEqual(await page.locator("em").allTextContents(), ["in 3", "in 5", "alone"]);
    await page.locator(".toggle").first().click();
    assert.equal(await page.locator(".counter b").count(), 0);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
});
