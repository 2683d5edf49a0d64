import assert from "node:assert/strict";
import {
  assertAccessible,
  isAlive,
  newContexts,
  openVisit,
  type Visit,
} from "@/tests/support/browser/browser.ts";
import { makeBusyProject } from "@/tests/support/browser/busy_project.ts";
import { type RealServer, startRealServer } from "@/tests/support/server/real_server.ts";
import type { Page } from "@/tests/packages/playwright.ts";

/** Time until a reader is told that the server is lost. */
const NOTICE_MS = 5_000;

const UNANSWERED = "The server does not respond. Nothing is lost. Try again.";

const notice = (page: Page) => page.getByText("The server does not respond. This page reconnects");

/** Returns how long it takes until the notice appears or disappears. */
async function timeUntil(page: Page, state: "visible" | "hidden"): Promise<number> {
  const askedAt = performance.now();
  await notice(page).waitFor({ state });
  return performance.now() - askedAt;
}

/** A server that can be killed and started again on its port, and a browser. */
async function newServer() {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_lost_" });
  const contexts = await newContexts();
  let server = await startRealServer({ dataDir });
  const { url } = server;
  return {
    url,
    api: (...call: Parameters<RealServer["api"]>) => server.api(...call),
    open: (baseURL = url): Promise<Visit> => openVisit(contexts, { ...server, url: baseURL }),
    kill: () => server.end("SIGKILL"),
    stop: () => server.end("SIGTERM"),
    async start() {
      server = await startRealServer({ dataDir, env: { CALLBOARD_PORT: new URL(url).port } });
    },
    async [Symbol.asyncDispose]() {
      await contexts[Symbol.asyncDispose]();
      await server.end("SIGKILL").catch(() => {}); // It may have ended.
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** Passes on TCP connections to `url`, but keeps them open without passing on anything if asked. */
function startProxy(url: string) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let isSilent = false;
  async function pass(from: Deno.Conn, to: Deno.Conn) {
    for await (const chunk of from.readable) if (!isSilent) await write(to, chunk);
    to.close();
  }
  async function write(to: Deno.Conn, chunk: Uint8Array) {
    for (let at = 0; at < chunk.length;) at += await to.write(chunk.subarray(at));
  }
  (async () => {
    for await (const client of listener) {
      const { hostname, port } = new URL(url);
      const server = await Deno.connect({ hostname, port: Number(port) });
      for (const [from, to] of [[client, server], [server, client]]) pass(from, to).catch(() => {});
    }
  })();
  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    keepSilent: (is: boolean) => isSilent = is,
    [Symbol.dispose]: () => listener.close(),
  };
}

Deno.test("a page says within five seconds that its server ended, and recovers", async () => {
  await using server = await newServer();
  const { body: { id } } = await server.api("POST", "/api/projects", { name: "Live" });
  const { page } = await server.open();
  // The first page names a stream. The others have none.
  for (const path of [`/project/${id}/activity`, `/project/${id}/keys/new`, "/account"]) {
    await page.goto(path);
    await isAlive(page);
    await page.waitForTimeout(500);
    const typed = page.getByLabel("Key name");
    const isForm = path.endsWith("/new");
    if (isForm) await typed.fill("Typed");
    await server.kill();
    const toldMs = await timeUntil(page, "visible");
    assert.ok(toldMs < NOTICE_MS, `${path}: told after ${toldMs} ms`);
    await assertAccessible(page);
    await server.start();
    const recoveredMs = await timeUntil(page, "hidden");
    assert.ok(recoveredMs < NOTICE_MS, `${path}: recovered after ${recoveredMs} ms`);
    if (isForm) assert.equal(await typed.inputValue(), "Typed");
    if (!path.endsWith("/activity")) continue;
    const name = "Live again";
    await server.api("POST", `/api/project/${id}/environment`, { name, json: "{}" });
    await page.getByRole("row", { name }).waitFor();
  }
});

/** Fails unless `act` ends in a sentence on the page, whose address and marks stay. */
async function assertStays(page: Page, act: () => Promise<void>): Promise<void> {
  const { href } = new URL(page.url());
  const unanswered = page.locator(".flash", { hasText: UNANSWERED });
  await act();
  await unanswered.waitFor();
  assert.equal(page.url(), href);
  await unanswered.locator("summary").click();
  await unanswered.waitFor({ state: "hidden" });
}

Deno.test("pages say that their server stops while a task runs, keep what was typed, and go on", async () => {
  await using server = await newServer();
  const folder = await Deno.makeTempDir({ prefix: "callboard_stop_" });
  const { id, slow, start } = await makeBusyProject({ server }, folder);
  const task = await start(slow, 2);
  const { page: view } = await server.open();
  const [form, dialog] = [await view.context().newPage(), await view.context().newPage()];
  const openings: [Page, string][] = [
    [view, `/project/${id}/tasks/${task}`],
    [form, `/project/${id}/templates/new`],
    [dialog, `/project/${id}/environment/new`],
  ];
  for (const [page, path] of openings) {
    await page.goto(path);
    await isAlive(page);
  }
  await view.getByText("Step 2").first().waitFor();
  await form.getByLabel("Name", { exact: true }).fill("Typed");
  await dialog.getByLabel("Environment name").fill("Typed, too");

  const stoppedAt = performance.now();
  const end = server.stop();
  for (const [page, path] of openings) {
    await page.getByText("The server is stopping").waitFor();
    const toldMs = performance.now() - stoppedAt;
    assert.ok(toldMs < NOTICE_MS, `${path}: told after ${toldMs} ms`);
    await assertAccessible(page);
  }
  await assertStays(view, () => view.getByRole("link", { name: "Schedules" }).click());
  await assertStays(form, () => form.getByRole("button", { name: "Create" }).last().click());
  await assertStays(dialog, () => dialog.getByRole("button", { name: "Create" }).click());
  await view.getByText("Step 6").first().waitFor();
  assert.equal(await end, 0);
  for (const [page] of openings) await timeUntil(page, "visible");

  await server.start();
  for (const [page] of openings) await timeUntil(page, "hidden");
  assert.equal(await form.getByLabel("Name", { exact: true }).inputValue(), "Typed");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("row", { name: "Typed, too" }).waitFor();
  await view.getByRole("link", { name: "Schedules" }).click();
  await view.waitForURL(/\/schedules$/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a click right after the end of a server, or through a proxy without one, stays on the page", async () => {
  await using server = await newServer();
  const { body: { id } } = await server.api("POST", "/api/projects", { name: "Left" });
  const { page } = await server.open();
  await page.goto(`/project/${id}/activity`);
  await isAlive(page);
  await page.waitForTimeout(500);
  const leave = () => page.getByRole("link", { name: "Schedules" }).click();
  await page.route("**/*", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await server.kill();
  await assertStays(page, leave);
  await page.unroute("**/*");
  await assertStays(page, leave);
  await server.start();
  await timeUntil(page, "hidden");
  await leave();
  await page.waitForURL("**/schedules");
});

Deno.test("a connection that stays open without a server is noticed, and opened again", async () => {
  await using server = await newServer();
  using proxy = startProxy(server.url);
  const { page } = await server.open(proxy.url);
  await page.goto("/account");
  await isAlive(page);
  await page.waitForTimeout(4_500);
  assert.equal(await notice(page).count(), 0, "silence is filled");
  proxy.keepSilent(true);
  const toldMs = await timeUntil(page, "visible");
  assert.ok(toldMs < NOTICE_MS, `told after ${toldMs} ms`);
  proxy.keepSilent(false);
  const recoveredMs = await timeUntil(page, "hidden");
  assert.ok(recoveredMs < 2 * NOTICE_MS, `recovered after ${recoveredMs} ms`);
});

Deno.test("a page whose user has been signed out says so, and leads back after the sign-in", async () => {
  await using server = await newServer();
  const { body: { id } } = await server.api("POST", "/api/projects", { name: "Left" });
  const { page } = await server.open();
  const other = await page.context().newPage();
  // The first page has no stream of its own, the second one has.
  for (const [open, path] of [[page, "/users"], [other, `/project/${id}/activity`]] as const) {
    await open.goto(path);
    await isAlive(open);
  }
  await other.evaluate(() => fetch("/auth/logout", { method: "POST" }));
  for (const [open, path] of [[page, "/users"], [other, `/project/${id}/activity`]] as const) {
    await open.getByText("You have been signed out.").waitFor();
    await assertAccessible(open);
    await open.getByRole("link", { name: "Sign in" }).click();
    await open.waitForURL((url) => url.searchParams.get("next") === path);
  }
});
