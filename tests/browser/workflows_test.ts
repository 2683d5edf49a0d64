import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser.ts";
import { newWorkflowStage } from "@/tests/support/workflows.ts";

Deno.test("a workflow is defined in dialogs, and its run's page follows the steps", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  await stage.template({ name: "Build shop" });
  const list = `/project/${world.web.id}/workflows`;
  await using visit = await lookAt(world, "mike", { viewport: { width: 1280, height: 900 } });
  const { page, problems } = visit;
  await page.goto(list);
  await assertAccessible(page);
  await page.click("text=New workflow");
  await page.fill("dialog [name=name]", "Release");
  await page.click('dialog button:has-text("Create")');
  await page.click("text=Add task");
  await page.selectOption("dialog [name=template]", { label: "Build shop" });
  await page.click('dialog button:has-text("Continue")');
  await page.fill("dialog .form [name=name]", "Build");
  await assertAccessible(page);
  await page.click('dialog button:has-text("Add step")');
  await page.click("text=Add approval");
  await page.fill("dialog [name=name]", "Ready for production?");
  await assertAccessible(page);
  await page.click('dialog button:has-text("Add step")');
  await page.waitForSelector("#step-2");
  await assertAccessible(page);
  const boxes = page.locator(".wf-box");
  assert.equal(await boxes.count(), 2);
  assert.ok((await boxes.nth(0).boundingBox())!.y < (await boxes.nth(1).boundingBox())!.y);

  await page.getByRole("link", { name: "Run", exact: true }).click();
  await page.fill("dialog [name=message]", "Friday");
  await page.click('dialog button:has-text("Run")');
  await page.waitForURL(/\/runs\/\d+$/);
  const run = new URL(page.url()).pathname;
  await stage.goOn();
  await page.waitForSelector("#step-1 [data-status=running]");
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  await page.waitForSelector(".wf-decision");
  await assertAccessible(page);
  await page.fill(".wf-decision [name=note]", "Looks good");
  await page.click('button:has-text("Approve")');
  await page.waitForSelector(".wf-decision li:has-text('Looks good')");
  await stage.goOn();
  await page.waitForSelector(".task-facts [data-status=success]");
  assert.deepEqual(problems, []);
  await page.context().close();

  const workflow = run.replace(/\/runs\/\d+$/, "");
  const viewport = { width: 390, height: 844 };
  for (const options of [{ javaScriptEnabled: false }, { colorScheme: "dark" } as const]) {
    await using small = await lookAt(world, "mike", { viewport, ...options });
    const phone = small.page;
    for (const path of [list, workflow, `${workflow}/steps/1`, `${workflow}/steps/2`, run]) {
      await phone.goto(path);
      await assertFitsWidth(phone);
      if (!("javaScriptEnabled" in options)) await assertAccessible(phone);
    }
  }
});
