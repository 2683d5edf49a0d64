import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

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
  await page.waitForSelector(".run-head [data-status=success]");
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

Deno.test("a graph that is wider than a phone begins with its first step and scrolls by keyboard", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const after = [{ step: -1 }];
  const id = await stage.workflow([
    { id: -1, kind: "wait", minutes: 1, name: "First" },
    ...Array.from({ length: 7 }, () => ({ kind: "wait", minutes: 1, after })),
  ]);
  const run = await stage.start(id);
  await using visit = await lookAt(world, "mike", { viewport: { width: 390, height: 844 } });
  const { page } = visit;
  await page.goto(`/project/${world.web.id}/workflows/${id}/runs/${run}`);
  await assertFitsWidth(page);
  await assertAccessible(page);
  const graph = page.getByRole("group", { name: "Steps" });
  const [frame, first] = [
    await graph.boundingBox(),
    await page.locator(".wf-box").first()
      .boundingBox(),
  ];
  assert.ok(frame!.x <= first!.x && first!.x + first!.width <= frame!.x + frame!.width);
  const before = await graph.evaluate((element) => element.scrollLeft);
  await graph.press("ArrowRight");
  await page.waitForFunction(
    (before) => document.querySelector(".wf-graph")!.scrollLeft > before,
    before,
  );
});

Deno.test("the overview and the list of runs follow a run, on a phone and in the dark", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template({ name: "Build shop" });
  const id = await stage.workflow([
    { kind: "template", template_id: template, name: "Build" },
    { kind: "approval", name: "Ready for production?", approval: { roles: ["manager"] } },
  ]);
  const project = `/project/${world.web.id}`;
  const viewport = { width: 390, height: 844 };
  await using visit = await lookAt(world, "mike", { viewport, colorScheme: "dark" });
  const { page, problems } = visit;
  await page.goto(`${project}/history`);
  await stage.start(id, { message: "Friday" });
  await page.waitForSelector("#overview-runs");
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  await page.waitForSelector("#overview-questions");
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.goto(`${project}/runs`);
  await page.waitForSelector("[data-status=approval]");
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.context().newPage().then(async (other) => {
    await other.goto(`${project}/history`);
    await other.click("#overview-questions a:has-text('Review')");
    await other.click('button:has-text("Approve")');
    await other.waitForSelector(".approval-votes li");
    await stage.goOn();
    await other.close();
  });
  await page.waitForSelector("[data-status=success]");
  assert.deepEqual(problems, []);
});

Deno.test("trends and the comparison of runs fit a phone in the dark", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template({ name: "Build shop" });
  const id = await stage.workflow([
    { kind: "template", template_id: template, name: "Build" },
    { kind: "template", template_id: template, name: "Deploy" },
  ]);
  for (const ends of [["success", "success"], ["success", "error"], ["error"]] as const) {
    await stage.start(id);
    for (const end of ends) {
      world.clock.advance(90_000);
      await stage.end((await stage.openTasks())[0], end);
      await stage.goOn();
    }
  }
  const workflow = `/project/${world.web.id}/workflows/${id}`;
  const viewport = { width: 390, height: 844 };
  await using visit = await lookAt(world, "mike", { viewport, colorScheme: "dark" });
  const { page, problems } = visit;
  await page.goto(workflow);
  await page.waitForSelector("#workflow-trend rect.bar-error");
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.goto(`${workflow}/runs/2`);
  await page.click(".run-head-more > summary");
  await page.click("text=Compare runs");
  await page.waitForSelector("#compare-different");
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.selectOption("#compare-a", "3");
  await page.waitForSelector("#step-2 [data-status=skipped]");
  assert.deepEqual(problems, []);
});
