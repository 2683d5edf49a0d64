import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isAlive,
  lookAt,
  newContexts,
  openVisit,
} from "@/tests/support/browser/browser.ts";
import { newPreviewStage, PLAY } from "@/tests/support/programs/preview_stage.ts";
import { previewedTask } from "@/tests/support/world/previewed_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);

const command = (page: Page, name: string) =>
  page.locator(".run-head-actions").getByRole("link", { name, exact: true });

async function assertGood(page: Page) {
  await assertAccessible(page);
  await assertFitsWidth(page);
}

Deno.test("a run is previewed, reviewed, confirmed and compared, with the keyboard alone", async () => {
  await using stage = await newPreviewStage(PLAY, { preview_first: false });
  const { project, template_id } = stage;
  await using contexts = await newContexts();
  const { page, problems } = await openVisit(contexts, project.server);
  await page.goto(`/project/${project.id}/templates/${template_id}/edit`);
  await isAlive(page);
  await page.locator("details", { has: page.locator("[name=preview_first]") })
    .locator("summary").press("Enter");
  await page.getByLabel("Preview each run first").press("Space");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL(/templates\/\d+$/);
  await isAlive(page);
  await page.getByRole("link", { name: "Run", exact: true }).press("Enter");
  await page.locator("#over").getByRole("button", { name: "Run" }).press("Enter");
  await command(page, "Review").press("Enter", { timeout: 60_000 });
  await page.getByRole("heading", { name: "2 of 2 hosts would change." }).waitFor();
  await hasFocus(page, "#review");
  await page.getByText("Touch by hand (raw), on 2 hosts").waitFor();
  await assertGood(page);
  await page.keyboard.press("Escape");
  await page.waitForURL(/templates\/\d+$/);
  assert.deepEqual(await stage.files(), []);

  await page.goto(`/project/${project.id}/history`);
  await isAlive(page);
  const review = page.getByRole("link", { name: /^Review #\d+$/ });
  await review.press("Enter");
  await page.waitForURL(/\?t=\d+&tab=review$/);
  await page.keyboard.press("Escape");
  await hasFocus(page, "[href$='tab=review']");
  await review.press("Enter");
  await page.getByRole("button", { name: "Approve" }).press("Enter");
  await page.locator(".log-tools").waitFor();
  await hasFocus(page, "#over *");
  const differs = page.getByRole("link", { name: "The result differs from the preview" });
  await differs.press("Enter", { timeout: 60_000 });
  await page.getByText("2 hosts changed although no change was predicted.").last().waitFor();
  await assertGood(page);
  assert.deepEqual(problems, []);
});

Deno.test("without a script, on a phone, a preview is rejected, fails and is confirmed all the same, and finds nothing to do", async () => {
  const play = PLAY.slice(0, PLAY.indexOf("    - name: Look twice")) +
    `      when: text == "first"
    - fail: { msg: "There is no space left" }
      when: text == "fail"
`;
  await using stage = await newPreviewStage(play, { preview_end_unchanged: true });
  const { project, template_id } = stage;
  await using contexts = await newContexts();
  const { page } = await openVisit(contexts, project.server, {
    ...PHONE,
    javaScriptEnabled: false,
  });
  const id = await stage.previewed({ message: "Please look" });
  // The response for a waiting task goes on until that task ends.
  await page.goto(`/project/${project.id}/tasks/${id}`, { waitUntil: "commit" });
  await command(page, "Review").click();
  await page.getByRole("heading", { name: "2 of 2 hosts would change." }).waitFor();
  await assertFitsWidth(page);
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Administrator rejected the task. Nothing was run.", { exact: true })
    .waitFor();
  assert.deepEqual(await stage.files(), []);

  await stage.changeEnvironment({ folder: stage.folder, text: "second" });
  const { task } = await project.run(template_id);
  assert.equal(task.status, "success");
  await page.goto(`/project/${project.id}/tasks/${task.id}/review`);
  await page.getByText("The preview would change nothing, so nothing was run.").waitFor();
  await assertFitsWidth(page);

  await stage.changeEnvironment({ folder: stage.folder, text: "fail" });
  const failed = await stage.previewed();
  const path = `/project/${project.id}/tasks/${failed}`;
  await page.goto(`${path}/hosts`);
  await page.getByRole("link", { name: "Hosts (2 hosts failed)" }).waitFor();
  await page.goto(`${path}/review`);
  await page.getByText("The preview failed").waitFor();
  await page.getByText("There is no space left").first().waitFor();
  await assertFitsWidth(page);
  await page.getByRole("button", { name: "Approve in spite of failures" }).click();
  const { task: ended } = await project.ended(failed);
  assert.equal(ended.status, "error", "for the same reason");
  const { page: scripted, problems } = await openVisit(contexts, project.server, PHONE);
  for (const done of [id, task.id, failed]) {
    await scripted.goto(`/project/${project.id}/tasks/${done}/review`);
    await assertGood(scripted);
  }
  assert.deepEqual(problems, []);
});

Deno.test("an answer is shown though the stream was quicker to take its button away", async () => {
  await using world = await newWorld();
  const { id } = await previewedTask(world);
  await using visit = await lookAt(world, "bob");
  const { page, problems } = visit;
  await page.route("**/confirm", async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    await page.locator("section.approval").waitFor({ state: "detached" });
    await route.fulfill({ response });
  });
  await page.goto(`/project/${world.web.id}/history?t=${id}&tab=review`);
  await isAlive(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.locator("#over .log-tools").waitFor();
  await page.waitForURL(/history\?t=\d+$/);
  await hasFocus(page, "#over *");
  assert.deepEqual(problems, []);
});
