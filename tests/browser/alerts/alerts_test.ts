import assert from "node:assert/strict";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { startReceiver } from "@/tests/support/services/alerting.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a target and a rule are created on a phone, in the dark and without a script", async () => {
  await using world = await newWorld();
  const list = `/project/${world.web.id}/alerts`;
  const viewport = { width: 390, height: 844 };
  await using plain = await lookAt(world, "mike", { viewport, javaScriptEnabled: false });
  const { page } = plain;
  await page.goto(list);
  await assertFitsWidth(page);
  await page.click("text=New target");
  await page.click("text=Slack");
  await page.fill("[name=name]", "a-name-that-is-too-long-".repeat(4));
  await page.fill('[name="settings.url"]', "https://127.0.0.1:9/hook");
  await page.click('button:has-text("Create")');
  await page.click('button:has-text("Send test message")');
  await page.waitForSelector("text=The test message could not be sent");
  await assertFitsWidth(page);
  const target = `${list}/targets/${await page.locator("[name=target_id]").inputValue()}`;
  await page.click('button:has-text("Create")');
  await page.waitForSelector("text=Send failures and recoveries of everything to a-name-that-is");

  await using dark = await lookAt(world, "mike", { viewport, colorScheme: "dark" });
  await dark.page.goto(list);
  await dark.page.click("text=New target");
  await dark.page.click("dialog >> text=ntfy");
  await dark.page.fill("dialog [name=name]", "Phone");
  await dark.page.click('dialog button:has-text("Create")');
  await dark.page.waitForSelector("dialog >> text=One field needs your attention");
  await dark.page.fill('dialog [name="settings.topic"]', "ops");
  await dark.page.click('dialog button:has-text("Create")');
  const rule = dark.page.locator("dialog:has([name=target_id])");
  await rule.getByText("New rule", { exact: true }).waitFor();
  await rule.getByRole("button", { name: "Create", exact: true }).click();
  await dark.page.waitForSelector("text=Send failures and recoveries of everything to Phone");
  const paths = [list, target, `${target}/edit`, `${list}/targets/new`, `${list}/rules/new`];
  for (const path of paths) {
    await dark.page.goto(path);
    await assertFitsWidth(dark.page);
    await assertAccessible(dark.page);
  }

  await dark.page.setViewportSize({ width: 1280, height: 844 });
  await dark.page.goto(list);
  const parts = dark.page.locator(".latest-delivery:has(time)").first().locator("> *");
  const boxes = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
  assert.equal(boxes.length, 2);
  assert.ok(boxes[1].left > boxes[0].right, "a table has room for the time and the status");
});

Deno.test("a target of the settings shows its mark and its log, on a phone, in the dark and without a script", async () => {
  await using receiver = startReceiver();
  await using world = await newWorld();
  const { config } = world.deps;
  config.alerts = { ...config.alerts, slackUrl: receiver.url, smtpUrl: "smtp://127.0.0.1:9" };
  const list = `/project/${world.web.id}/alerts`;
  const viewport = { width: 390, height: 844 };
  await using plain = await lookAt(world, "mike", { viewport, javaScriptEnabled: false });
  const { page } = plain;
  await page.goto(list);
  await page.waitForSelector("text=Without rules, nothing is sent");
  assert.equal(await page.locator("text=Set by the server's settings").count(), 2);
  await page.click("a:has-text('Slack')");
  await page.click('button:has-text("Send test message")');
  await page.waitForSelector("text=The test message was sent");
  await page.waitForSelector("td:has-text('Test message from Callboard')");
  assert.equal(receiver.calls.length, 1);
  await assertFitsWidth(page);

  await using dark = await lookAt(world, "erin", { viewport, colorScheme: "dark" });
  for (const path of ["/admin/alerts", "/admin/alerts/targets/-3", "/admin/alerts/targets/-1"]) {
    await dark.page.goto(path);
    await assertFitsWidth(dark.page);
    await assertAccessible(dark.page);
    await dark.page.waitForSelector("text=Set by the server's settings");
  }
});

Deno.test("the folded sections of a rule say what is chosen in them", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "mike");
  const { page } = visit;
  await page.goto(`/project/${world.web.id}/alerts/rules/new`);
  await isAlive(page);
  const repeat = page.locator("#rule-repeat");
  const summary = repeat.locator(".fold-summary");
  await summary.getByText("Only the first", { exact: true }).waitFor();
  await repeat.locator("summary").click();
  await repeat.getByText("Each one", { exact: true }).click();
  await summary.getByText("Each one", { exact: true }).waitFor();
  const subjects = page.locator("#rule-subjects");
  await subjects.getByText("Everything", { exact: true }).waitFor();
  await subjects.locator("summary").click();
  await subjects.getByLabel("Deploy shop").check();
  await subjects.locator(".fold-summary").getByText("Deploy shop", { exact: true }).waitFor();
});

Deno.test("a new rule whose test failed leads to its target and back, and asks only about input", async () => {
  await using world = await newWorld();
  const list = `/project/${world.web.id}/alerts`;
  await using visit = await lookAt(world, "mike");
  const { page } = visit;
  const name = page.locator("dialog [name=name]");
  await page.goto(list);
  await isAlive(page);
  await page.click("text=New target");
  await page.click("dialog >> text=Slack");
  await name.fill("On call");
  await page.fill('dialog [name="settings.url"]', "https://127.0.0.1:9/hook");
  await page.click('dialog button:has-text("Create")');
  await page.click('dialog button:has-text("Send test message")');
  await page.click("dialog >> text=Edit target");
  await page.waitForSelector('dialog button:has-text("Save")');
  assert.equal(await page.locator("#discard").isVisible(), false);
  await name.fill("On call again");
  await page.click('dialog button:has-text("Save")');
  const chosen = page.locator("dialog [name=target_id] option:checked");
  await chosen.getByText("On call again").waitFor({ state: "attached" });

  await page.locator("#rule-name summary").click();
  await name.fill("Typed");
  await page.click('dialog button:has-text("Send test message")');
  await page.click("dialog >> text=Edit target");
  await page.waitForSelector("#discard:has-text('Discard')");
});
