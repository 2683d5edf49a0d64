import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "@/tests/packages/playwright.ts";
import { newStage } from "./browser.ts";

/** Opens a page of the demo project that does not change until it is loaded again. */
export async function newFormStage() {
  const stage = await newStage();
  const { status } = await stage.server.api("POST", "/api/projects", { name: "Shop", demo: true });
  assert.equal(status, 201);
  const open = async (path: string, options?: BrowserContextOptions) => {
    const visit = await stage.open(options);
    await visit.page.goto(`/project/1/${path}`);
    const script = "document.getElementById('live-page')";
    if (options?.javaScriptEnabled !== false) await visit.page.waitForFunction(script);
    await visit.page.waitForLoadState("networkidle");
    await visit.page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
    return visit;
  };
  const { api } = stage.server;
  return { open, api, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

export const isSame = (page: Page) => page.evaluate(() => "isSame" in globalThis);
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
export const dialogOf = (page: Page) => page.locator("#over");
export const closed = (page: Page) =>
  page.waitForFunction(() => !(document.getElementById("over") as HTMLDialogElement).open);
