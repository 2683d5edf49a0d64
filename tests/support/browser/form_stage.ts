import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "@/tests/packages/playwright.ts";
import { isQuiet, lookAt } from "./browser.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Opens pages of a demo project for Erin. They do not change until they are loaded again. */
export async function newFormStage() {
  const world = await newWorld();
  const shop = { name: "Shop", demo: true };
  const { status, body } = await world.api("erin", "POST", "/api/projects", shop);
  assert.equal(status, 201);
  const projectPath = `/project/${body.id}`;
  const api = (method: string, path: string, body?: unknown) =>
    world.api("erin", method, `/api${projectPath}/${path}`, body);
  const visits = new AsyncDisposableStack();
  visits.use(world);
  return {
    /** Path of the project's pages. */
    projectPath,
    /** Calls the API with a path below the project. */
    api,
    /** Returns the id of an object, such as one of the kind "templates". */
    async idOf(kind: string, name: string): Promise<number> {
      const { body: objects } = await api("GET", kind);
      return objects.find((object: { name: string }) => object.name === name).id;
    },
    async open(path: string, options?: BrowserContextOptions) {
      const visit = visits.use(await lookAt(world, "erin", options));
      await visit.page.goto(`${projectPath}/${path}`);
      if (options?.javaScriptEnabled !== false) await isQuiet(visit.page);
      await visit.page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
      return visit;
    },
    [Symbol.asyncDispose]: () => visits.disposeAsync(),
  };
}

export const isSame = (page: Page) => page.evaluate(() => "isSame" in globalThis);
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
export const dialogOf = (page: Page) => page.locator("#over");
export const closed = (page: Page) =>
  page.waitForFunction(() => !(document.getElementById("over") as HTMLDialogElement).open);
