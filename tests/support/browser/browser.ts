import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AXE_SCRIPT } from "@/tests/packages/axe.ts";
import {
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from "@/tests/packages/playwright.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "@/tests/support/server/real_server.ts";
import { serveWorld } from "@/tests/support/world/serve_world.ts";
import type { World } from "@/tests/support/world/world.ts";

/** Chromium must not use the network: no updates, no field trials, no requests. */
const ARGUMENTS = [
  "--no-sandbox",
  // Pages are too short for compilers that optimize: they take one part in 20 of the CPU.
  "--js-flags=--no-opt --no-maglev",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A real server, and a browser to look at it. */
export interface Stage extends AsyncDisposable {
  server: RealServer;
  /** Opens a page in a context of its own, signed in, and collects its problems. */
  open(options?: BrowserContextOptions): Promise<Visit>;
}

/** An open page follows the server and draws, until it is disposed of or the test ends. */
export interface Visit extends AsyncDisposable {
  page: Page;
  /** Console errors, exceptions and refused resources. */
  problems: string[];
}

/** The same engine without a browser's own windows, which take a third of the time. */
const SHELL = "/usr/lib/chromium/chromium-headless-shell";
const executablePath = existsSync(SHELL) ? SHELL : "/usr/bin/chromium";

const once = <Made>(make: () => Made) => {
  let made: Made | undefined;
  return () => made ??= make();
};

/** Ends what the tests of a module share, such as a browser that its first use has launched. */
const shared = new AsyncDisposableStack();
export const endShared = (): Promise<void> => shared.disposeAsync();
Deno.test.afterAll(endShared);

const sharedBrowser = once(async () => {
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  shared.defer(() => browser.close());
  return browser;
});

async function startShared(withAnsible: boolean): Promise<RealServer> {
  const home = await Deno.makeTempDir({ prefix: "callboard_stage_" });
  const ansibleDir = withAnsible ? undefined : await installStandIn(join(home, "bin"));
  const server = await startRealServer({ dataDir: join(home, "data"), ansibleDir });
  shared.defer(async () => {
    await server.end("SIGTERM");
    await Deno.remove(home, { recursive: true });
  });
  return server;
}

const sharedServer = once(() => startShared(true));
const sharedServerWithStandIn = once(() => startShared(false));

/** Contexts of one test, which share nothing with each other or with those of other tests. */
interface Contexts extends AsyncDisposable {
  /** Opens a context in English, without cookies. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** Returns a way to open contexts in the module's browser. Disposing of it closes all of them. */
export async function newContexts(): Promise<Contexts> {
  const browser = await sharedBrowser();
  const opened: BrowserContext[] = [];
  return {
    async open(options) {
      const context = await browser.newContext({
        locale: "en",
        // Moving icons take a tenth of the processor's time, and no test is about them.
        reducedMotion: "reduce",
        ...options,
      });
      opened.push(context);
      return context;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}

/**
 * Returns the module's server. Each test creates a project of its own on it. The stand-in of
 * Ansible takes a tenth of the time, for tests that do not depend on what a run does.
 */
export async function newStage(ansible: "real" | "stand-in" = "real"): Promise<Stage> {
  const server = await (ansible === "real" ? sharedServer() : sharedServerWithStandIn());
  const contexts = await newContexts();
  return {
    server,
    open: (options) => openVisit(contexts, server, options),
    [Symbol.asyncDispose]: () => contexts[Symbol.asyncDispose](),
  };
}

/** Opens a page in a context of its own, with the server's administrator signed in. */
export async function openVisit(
  contexts: Contexts,
  { url, cookie }: RealServer,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await contexts.open({ baseURL: url, ...options });
  await context.addCookies(
    cookie.split("; ").map((text) => {
      const [name, value] = text.split("=");
      return { name, value, url };
    }),
  );
  const page = await context.newPage();
  return {
    page,
    problems: problemsOf(page),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Opens a page of a world in a context of its own, as one of the world's people. */
export async function lookAt(
  world: World,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<Visit & { url: string }> {
  const { url, stop } = serveWorld(world);
  const contexts = await newContexts();
  const context = await contexts.open({ baseURL: url, ...options });
  const value = world.people[person].token;
  await context.addCookies([{ name: "callboard", value, url }]);
  const page = await context.newPage();
  return {
    page,
    problems: problemsOf(page),
    url,
    async [Symbol.asyncDispose]() {
      await contexts[Symbol.asyncDispose]();
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

/**
 * Waits until the page's script has begun and has shown the answers to its requests. The network is
 * never idle, because each page follows an event stream.
 */
export async function isQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await isAlive(page);
  await page.locator("html:not([data-busy])").waitFor({ state: "attached" });
}

/** Open connections to the debugger. Closing one would turn off a page's virtual authenticator. */
const debuggers = new WeakMap<Page, CDPSession>();

/**
 * Adds axe-core to the page. The debugger takes half of Playwright's time for a script as long as
 * this one, and the page's content security policy does not apply to it.
 */
async function addAxe(page: Page): Promise<void> {
  const session = debuggers.get(page) ?? await page.context().newCDPSession(page);
  debuggers.set(page, session);
  await session.send("Runtime.evaluate", { expression: AXE_SCRIPT });
}

/** Fails with each accessibility violation that axe-core finds on the page, small targets too. */
export async function assertAccessible(page: Page): Promise<void> {
  if (!await page.evaluate(() => "axe" in globalThis)) await addAxe(page);
  const violations = await page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- the script above defined it
    const { axe } = globalThis as any;
    // Finding a selector for each element takes as long as all rules.
    // Rows outside of the window have no layout yet, and would seem to cover others.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { content-visibility: visible !important }");
    document.adoptedStyleSheets.push(sheet);
    const rules = { "target-size": { enabled: true } };
    const { violations } = await axe.run({ resultTypes: ["violations"], selectors: false, rules });
    document.adoptedStyleSheets.pop();
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) => {
      // Lines of a log are as close as in a terminal. A check box and keys fold the same sections.
      const texts = nodes.map(({ html }) => html).filter((html) =>
        id !== "target-size" || !html.includes('class="log-fold"')
      );
      return texts.length > 0 ? [`${id}: ${texts.slice(0, 3).join(" | ")}`] : [];
    });
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
