import assert from "node:assert/strict";
import { doDue } from "@/lib/jobs/engine.ts";
import { approvalWorker } from "@/lib/queue/approvals/approval_limits.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const MESSAGE = "Перед развёртыванием убедитесь, что есть резервная копия.\n\n" +
  "https://wiki.example.com/betrieb/datenbanksicherungsüberprüfungsprotokolle-2024-11-05?ansicht=1";

Deno.test("people vote by keyboard and without a script, and all pages follow until the time limit", async () => {
  await using world = await newWorld();
  const { api, web } = world;
  const project = `/project/${web.id}`;
  const approval = { needed: 2, not_starter: true, timeout_minutes: 30, message: MESSAGE };
  const template = await api("mike", "POST", `/api${project}/templates`, {
    ...templateForm(world, { require_confirmation: true, approval }),
  });
  const start = async () => {
    const { body } = await api("bob", "POST", `/api${project}/tasks`, {
      template_id: template.body.id,
    });
    return `${project}/tasks/${body.id}`;
  };
  const task = await start();
  const small = { viewport: { width: 390, height: 844 } };
  await using mike = await lookAt(world, "mike", { viewport: { width: 1280, height: 900 } });
  await using alice = await lookAt(world, "alice", { ...small, javaScriptEnabled: false });
  await using bob = await lookAt(world, "bob", { ...small, colorScheme: "dark" });
  for (const { page } of [mike, alice, bob]) {
    await page.goto(task);
    await assertFitsWidth(page);
  }
  for (const { page } of [mike, bob]) {
    await isQuiet(page);
    await assertAccessible(page);
  }
  const votes = (name: string) => `.approval-votes li:has-text("${name} approved")`;
  assert.match(await bob.page.innerText("#task-approval"), /The person who started this/);
  const stop = bob.page.getByRole("button", { name: "Stop" });
  const [{ y, height }, panel] = [
    (await stop.boundingBox())!,
    (await bob.page.locator(".approval").boundingBox())!,
  ];
  assert.ok(y + height + 4 <= panel.y, "the buttons touch the panel");

  await mike.page.focus("[name=note]");
  await mike.page.keyboard.type("Geprüft");
  await mike.page.keyboard.press("Tab");
  await mike.page.keyboard.press("Enter");
  for (const { page } of [mike, bob]) await page.waitForSelector(votes("Mike"));
  await mike.page.waitForFunction(() => document.activeElement?.id === "task-approval");
  assert.match(await mike.page.innerText("#task-approval"), /1 of 2[^]*Geprüft[^]*already voted/);

  await alice.page.click("#task-approval button:has-text('Approve')");
  assert.equal(new URL(alice.page.url()).pathname, task);
  for (const { page } of [mike, bob]) {
    await page.waitForSelector("#task-approval-list summary:has-text('2 of 2 approvals')");
  }

  await mike.page.goto(await start());
  await isQuiet(mike.page);
  await mike.page.fill("[name=note]", "Almost");
  world.clock.advance(31 * 60_000);
  await doDue(world.deps, approvalWorker);
  await mike.page.waitForSelector("text=The time limit for the approval has passed.");
  await mike.page.waitForSelector("#task-approval-list summary:has-text('0 of 2 approvals')");
  assert.deepEqual([mike.problems, bob.problems], [[], []]);
});
