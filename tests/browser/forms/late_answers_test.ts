import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { isAlive, isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
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

/** Holds back the answer to the first form that the page sends. Counts the forms that it sends. */
async function holdForm(page: Page) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let forms = 0;
  await page.route("**/*", async (route) => {
    if (route.request().method() !== "POST" || ++forms > 1) return await route.fallback();
    const response = await route.fetch({ maxRedirects: 0 });
    asked.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  return { asked: asked.promise, release: () => released.resolve(), count: () => forms };
}

/** Opens a new environment, and sends its form without a name. */
async function sendNameless(page: Page, world: World) {
  await page.goto(`/project/${world.web.id}/environment`);
  await isAlive(page);
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").waitFor();
  const form = await holdForm(page);
  const create = page.getByRole("button", { name: "Create", exact: true });
  await create.click();
  await form.asked;
  return { form, create };
}

Deno.test("a form that was mended before its refusal came is sent when its button was pressed", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "mike");
  const { page } = visit;
  const { form, create } = await sendNameless(page, world);
  await page.getByLabel("Environment name").fill("Staging 2");
  await create.click();
  form.release();
  await page.getByRole("cell", { name: "Staging 2", exact: true }).waitFor();
  assert.equal(form.count(), 2);
});

Deno.test("a form whose button was pressed twice is refused once", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "mike");
  const { page } = visit;
  const { form, create } = await sendNameless(page, world);
  await create.click();
  form.release();
  await page.getByText("One field needs your attention").waitFor();
  await isQuiet(page);
  assert.equal(form.count(), 1);
});

for (const isPressed of [false, true]) {
  const end = isPressed ? "is saved, too, if its button was pressed" : "stays";
  Deno.test(`text that is typed while its form is being saved ${end}`, async () => {
    await using world = await newWorld();
    await using visit = await lookAt(world, "alice");
    const { page } = visit;
    await page.goto(`/project/${world.web.id}/settings`);
    await isAlive(page);
    const form = await holdForm(page);
    const name = page.getByLabel("Project name");
    const save = page.locator("form", { has: name }).getByRole("button", { name: "Save" });
    await name.fill("Shop 2");
    await save.click();
    await form.asked;
    await name.fill("Shop 3");
    if (isPressed) await save.click();
    form.release();
    await page.locator(".flash").waitFor();
    await isQuiet(page);
    assert.equal(await name.inputValue(), "Shop 3");
    const { body } = await world.api("mike", "GET", `/api/project/${world.web.id}`);
    assert.equal(body.name, isPressed ? "Shop 3" : "Shop 2");
  });
}
