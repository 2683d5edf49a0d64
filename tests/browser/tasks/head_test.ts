import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { advance } from "@/lib/tasks/steps.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** Position below which no first line of an output begins on a desktop. */
const FIRST_LINE_MAX = 270;

/** A failed task with everything that its head can show. */
async function failedTask(world: World) {
  const { body: { id } } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
    message: "Release 8 for everybody",
    limit: "web",
  });
  const row = { id, project_id: world.web.id };
  await advance(world.kv, row, "starting");
  await advance(world.kv, row, "running", {
    start: new Date(Date.now() - 360_000).toISOString(),
    ansible_version: "ansible-playbook [core 2.19.14]",
    commit_hash: "5c098782dd0123456789012345678901234567ab",
    commit_message: "Roll out web configuration",
  });
  await advance(world.kv, row, "error", {
    end: new Date(Date.now() - 270_000).toISOString(),
    end_reason: {
      key: "errors.run.first_failure",
      params: {
        host: "web-07",
        task: "Check the certificate",
        message: "The certificate of web-07 expired on 2026-11-01. ".repeat(4),
        count: 2,
      },
    },
    failure_line: 2,
  });
  return { ...row, path: `/project/${world.web.id}/tasks/${id}` };
}

const topOf = async (page: Page) => {
  const { y } = (await page.getByRole("log").boundingBox())!;
  return y + 8;
};

Deno.test("the output begins in the upper third of a page and of a dialog, and the head has links", async () => {
  await using world = await newWorld();
  const failed = await failedTask(world);
  const running = await loggedTask(world, 300);
  await using visit = await lookAt(world, "mike", DESKTOP);
  const { page, problems } = visit;
  const dialog = (id: number) => `/project/${world.web.id}/templates/${world.deploy.id}?t=${id}`;
  for (const { id, path } of [failed, running]) {
    for (const address of [path, dialog(id)]) {
      await page.goto(address);
      await isQuiet(page);
      const top = await topOf(page);
      assert.ok(top <= FIRST_LINE_MAX, `${address}: ${top}`);
      await page.getByRole("heading", { name: `Deploy shop #${id}` }).waitFor();
      await assertFitsWidth(page);
      await assertAccessible(page);
    }
  }
  await page.goto(failed.path);
  const head = page.locator("#task-header");
  await head.getByText("Ansible 2.19.14", { exact: true }).waitFor();
  for (const section of ["inventory", "repositories"]) {
    await head.locator(`a[href*="/${section}/"]`).waitFor();
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
  const reason = page.locator(".task-reason .reason");
  const lines = await reason.evaluate((box) =>
    Math.round(box.clientHeight / parseFloat(getComputedStyle(box).lineHeight))
  );
  assert.equal(lines, 3);
  await page.goto(dialog(running.id));
  await isQuiet(page);
  await page.getByRole("button", { name: "Stop" }).click({ trial: true });
  await page.locator(".dialog-close a").click({ trial: true });
  assert.deepEqual(problems, []);
});

Deno.test("a task that someone watches shows what failed when it ends, without another page", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  const address = `/project/${world.web.id}/templates/${world.deploy.id}?t=${told.id}`;
  await using visit = await lookAt(world, "bob", DESKTOP);
  const { page, problems } = visit;
  await page.goto(address);
  await isQuiet(page);
  await told.report(
    play("Web"),
    task("a"),
    ...["web1", "web2", "web3"].map((host, n) =>
      result("a", host, { status: n === 0 ? "ok" : "failed", message: "no space left" })
    ),
  );
  await told.end("error");
  await page.getByRole("button", { name: "Run again on the 2 failed hosts" }).waitFor();
  await page.getByRole("link", { name: "Retry options" }).waitFor();
  await page.locator("#task-tab-hosts").getByText("2", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Run again on the 2 failed hosts" }).click();
  await page.getByRole("heading", { name: `Deploy shop #${told.id + 1}` }).waitFor();
  await page.getByText(`Repeats task #${told.id} on 2 of 3 hosts`).waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a task that waits shows why instead of an empty output, and a card with one verb", async () => {
  await using world = await newWorld();
  const first = await loggedTask(world, 3);
  const project = `/project/${world.web.id}`;
  const { body: { id } } = await world.api("bob", "POST", `/api${project}/tasks`, {
    template_id: world.deploy.id,
  });
  const { body: template } = await world.api("mike", "POST", `/api${project}/templates`, {
    ...templateForm(world, { name: "Asked", require_confirmation: true }),
  });
  const { body: asked } = await world.api("bob", "POST", `/api${project}/tasks`, {
    template_id: template.id,
  });
  await using visit = await lookAt(world, "bob", DESKTOP);
  const { page, problems } = visit;
  await page.goto(`${project}/tasks/${id}`);
  await isQuiet(page);
  await page.locator("#task-wait").getByText(`waiting for #${first.id}`).waitFor();
  assert.equal(await page.locator(".log-box").isVisible(), false);
  await assertAccessible(page);
  const row = { id, project_id: world.web.id };
  await first.end();
  await advance(world.kv, row, "starting");
  await page.getByRole("log").waitFor();

  await page.goto(`${project}/tasks/${asked.id}`);
  await isQuiet(page);
  const card = page.locator("#task-approval");
  await card.getByText("0 of 1 approvals").waitFor();
  await card.getByText("Everyone who may run tasks").waitFor();
  assert.equal(await page.getByRole("button", { name: "Confirm" }).count(), 0);
  assert.equal(await page.locator(".log-box").isVisible(), false);
  await assertAccessible(page);
  await card.getByRole("button", { name: "Approve" }).click();
  await card.getByText("0 of 1 approvals").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

Deno.test("the tools of a failed task's output are on one line at 1280 px, in long languages, too", async () => {
  await using world = await newWorld();
  const { path } = await failedTask(world);
  for (const locale of ["de", "pt-BR", "ru"]) {
    await using visit = await lookAt(world, "mike", { ...DESKTOP, locale });
    const { page } = visit;
    await page.goto(path);
    await isQuiet(page);
    await page.locator(".log-tools:not(.log-tools-unready) .log-options > button").waitFor();
    const { height } = (await page.locator(".log-tools").boundingBox())!;
    assert.ok(height < 50, `${locale}: ${height} px`);
  }
});
