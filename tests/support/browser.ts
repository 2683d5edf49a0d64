import assert from "node:assert/strict";
import { AXE_SCRIPT } from "../packages/axe.ts";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "@/tests/packages/playwright.ts";
import type { Person } from "./cast.ts";
import { ADMIN, type RealServer, startRealServer } from "./real_server.ts";
import { serveWorld } from "./serve_world.ts";
import type { World } from "./world.ts";

/** Chromium must not use the network: no updates, no field trials, no requests. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A real server with real Ansible, and a browser to look at it. */
export interface Stage extends AsyncDisposable {
  server: RealServer;
  /** Opens a page in a browser of its own, signed in, and collects its problems. */
  open(options?: BrowserContextOptions): Promise<Visit>;
}

export interface Visit {
  page: Page;
  /** Console errors, exceptions and refused resources. */
  problems: string[];
}

/** Launches a browser that is not connected to a server of the tests. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });

export async function newStage(): Promise<Stage> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_stage_" });
  const server = await startRealServer({ dataDir });
  const browser = await launchBrowser();
  return {
    server,
    open: (options) => openVisit(browser, server, options),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.end("SIGTERM");
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** Opens a page in a browser of its own, with the server's administrator signed in. */
export async function openVisit(
  browser: Browser,
  { url }: RealServer,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, locale: "en", ...options });
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.goto("/");
  await page.getByLabel("Username").fill(ADMIN.login);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByLabel("Password").press("Enter");
  await page.waitForURL(/\/project\//);
  return { page, problems };
}

/** Opens a page of a world in a browser of its own, as one of the world's people. */
export async function lookAt(
  world: World,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<Visit & AsyncDisposable & { url: string }> {
  const { url, stop } = serveWorld(world);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  const context = await browser.newContext({ baseURL: url, locale: "en", ...options });
  const value = world.people[person].token;
  await context.addCookies([{ name: "callboard", value, url }]);
  const page = await context.newPage();
  return {
    page,
    problems: problemsOf(page),
    url,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await stop();
    },
  };
}

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return problems;
}

/**
 * Waits until the page's script has begun. Before that, links and forms work as without a script.
 */
export const isAlive = (page: Page): Promise<void> =>
  page.locator("#discard").waitFor({ state: "attached" });

/** Fails with each accessibility violation that axe-core finds on the page. */
export async function assertAccessible(page: Page): Promise<void> {
  // Uses the debugger, because the page's content security policy does not apply to it.
  await page.evaluate(AXE_SCRIPT);
  const violations = await page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- the script above defined it
    const { violations } = await (globalThis as any).axe.run();
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" | ")}`,
    );
  });
  assert.deepEqual(violations, [], page.url());
}

/** Fails when the page can be scrolled sideways. */
export async function assertFitsWidth(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content <= window, `${page.url()} is ${content} px wide in a window of ${window} px`);
}
