import assert from "node:assert/strict";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { runTask } from "@/tests/support/services/alerting.ts";
import { lookAt } from "@/tests/support/browser/browser.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("a browser that was asked to notifies about its person's tasks, on any page", async () => {
  await using world = await newWorld();
  await using look = await lookAt(world, "bob", { permissions: ["notifications"] });
  const { page } = look;
  // A headless Chromium grants the permission, shows nothing, and still calls it denied.
  await page.addInitScript(() => {
    const shown: unknown[] = [];
    const Real = Notification;
    const Noted = class extends Real {
      static override get permission() {
        return "granted" as const;
      }
      constructor(title: string, options: NotificationOptions) {
        super(title, options);
        shown.push([title, options.body]);
      }
    };
    Object.assign(globalThis, { shown, Notification: Noted });
  });
  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: unknown }).shown);
  await page.goto("/account/notifications");
  await page.locator("#own-notices").getByLabel("A task or workflow fails").check();
  const templates = new URL(`/project/${world.web.id}/templates`, look.url).href;
  // The account's page follows its own tasks, too.
  const stream = page.waitForResponse((response) =>
    response.url().includes("/events?own=failed") &&
    response.request().headers().referer === templates
  );
  await page.goto(templates);
  await stream;
  for (const status of ["success", "error"] as const) {
    taskChanged(world.deps, await runTask(world, status));
  }
  await page.waitForFunction(() => (globalThis as unknown as { shown: [] }).shown.length > 0);
  assert.deepEqual(await shown(), [["Deploy shop failed", "Web shop"]]);
});
