import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { isAlive, lookAt } from "@/tests/support/browser/browser.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Starts a task that waits for two votes. Returns its path. */
async function startTask({ api, web }: World, form: object): Promise<string> {
  const project = `/api/project/${web.id}`;
  const template = await api("mike", "POST", `${project}/templates`, form);
  const task = await api("bob", "POST", `${project}/tasks`, { template_id: template.body.id });
  return `/project/${web.id}/tasks/${task.body.id}`;
}

/**
 * Holds back the answer to the first request that the page makes for itself. Its browser's time is
 * later than the world's, so it makes one for the time limit that seems to have passed.
 */
async function holdRefresh(page: Page, path: string) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route((url) => url.pathname === path, async (route) => {
    const request = route.request();
    const isRefresh = request.resourceType() === "fetch" && request.method() === "GET";
    if (!isRefresh || !isFirst) return await route.fallback();
    isFirst = false;
    const response = await route.fetch();
    asked.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  return { asked: asked.promise, release: () => released.resolve() };
}

const VOTE = ".approval-votes li:has-text('Mike approved')";

for (const way of ["the stream", "the answer to a form"] as const) {
  Deno.test(`a page that was requested before a change does not undo it when it comes after ${way}`, async () => {
    await using world = await newWorld();
    const path = await startTask(world, {
      ...templateForm(world, {
        require_confirmation: true,
        approval: { needed: 2, not_starter: true, timeout_minutes: 30, message: "" },
      }),
    });
    await using visit = await lookAt(world, way === "the stream" ? "bob" : "mike");
    const { page } = visit;
    const refresh = await holdRefresh(page, path);
    await page.goto(path);
    await isAlive(page);
    await refresh.asked;
    if (way === "the stream") {
      await world.api("mike", "POST", `/api${path}/confirm`);
    } else await page.locator("form:has([name=note]) button").first().click();
    await page.locator(VOTE).waitFor();
    refresh.release();
    await page.locator("html:not([data-busy])").waitFor({ state: "attached" });
    assert.equal(await page.locator(VOTE).count(), 1);
  });
}
