import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { app } from "./testdata/main.ts";
import { Builder } from "./dev.ts";

const CHROMIUM = "/usr/bin/chromium";

Deno.test("in a browser, islands share signals and keep what the server rendered", async () => {
  const build = new Builder({ root: import.meta.dirname + "/testdata" });
  (await build.build({ snapshot: "memory" }))(app);
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
    // The policy upgrades addresses to https, except for those of the machine itself.
    await page.goto(`http://localhost:${(server.addr as Deno.NetAddr).port}/islands`);

    const buttons = page.locator(".counter > button:first-child");
    await page.waitForSelector("em[data-browser=true]");
    await buttons.first().click();
    await buttons.last().click();
    assert.deepEqual(await buttons.allTextContents(), ["5", "5"]);
    assert.deepEqual(await page.locator("output").allTextContents(), ["10", "10"]);
    assert.deepEqual(await page.locator("time").allTextContents(), ["2020", "2020"]);
    assert.equal(await page.locator(".counter").first().locator("b").count(), 1);
    assert.equal(await page.locator(".counter b").textContent(), "from the server");
    assert.equal(await page.locator("em").textContent(), "in a slot");

    await page.locator(".toggle").first().click();
    assert.deepEqual(await page.locator("em").allTextContents(), ["inner", "in a slot"]);

    const drawer = page.locator("aside button").first();
    await drawer.click();
    assert.equal(await page.locator("aside p").textContent(), "hidden at first");
    await page.locator("aside aside button").click();
    assert.equal(await page.locator("aside em").textContent(), "in a template");
    await drawer.click();
    assert.equal(await page.locator("aside p").count(), 0);
    assert.deepEqual(await page.locator("aside i").allTextContents(), ["open"]);
    await drawer.click();
    assert.deepEqual(await page.locator("aside i").allTextContents(), ["open", "inner"]);
    assert.equal(await page.locator("aside p").textContent(), "hidden at first");
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
});
