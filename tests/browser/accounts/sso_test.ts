import assert from "node:assert/strict";
import { join } from "node:path";
import { assertAccessible, assertFitsWidth, newContexts } from "@/tests/support/browser/browser.ts";
import { makeCertificate } from "@/tests/support/services/git_http.ts";
import { CLIENT, freePort, startProvider } from "@/tests/support/services/oidc_provider.ts";
import { ADMIN, type RealServer, startRealServer } from "@/tests/support/server/real_server.ts";
import { providersOf } from "@/tests/support/services/sso_browser.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;
const STAFF = { rule: "staff", role: "manager" };

/**
 * Starts a server as `deno task start` does. Its file of providers lies elsewhere, and the
 * providers are not available yet.
 */
async function newServer(dataDir: string, ports: { main: number; away: number }) {
  const settings = await Deno.makeTempDir({ prefix: "callboard_settings_" });
  const file = join(settings, "oidc.json");
  await Deno.writeTextFile(join(settings, "secret"), CLIENT.secret);
  const provider = (port: number) => ({
    provider_url: `http://127.0.0.1:${port}`,
    client_id: CLIENT.id,
    client_secret_file: join(settings, "secret"),
  });
  await Deno.writeTextFile(
    file,
    JSON.stringify({
      main: { ...provider(ports.main), display_name: "Corp", color: "#1e88e5" },
      away: { ...provider(ports.away), display_name: "Away" },
    }),
  );
  const server = await startRealServer({ dataDir, env: { CALLBOARD_OIDC_FILE: file } });
  return { server, settings };
}

async function addProject({ api }: RealServer): Promise<number> {
  const { status, body } = await api("POST", "/api/projects", { name: "Web shop" });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

Deno.test("people come by a provider, with and without a script, on a phone and in the dark", async (t) => {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_sso_" });
  const ports = { main: await freePort(), away: await freePort() };
  const { server, settings } = await newServer(dataDir, ports);
  const app = server.url.replace(/\/$/, "");
  const contexts = await newContexts();
  const open = async (options: object = {}) => {
    const context = await contexts.open({ baseURL: app, ...PHONE, ...options });
    context.setDefaultTimeout(8_000);
    return await context.newPage();
  };
  const enter = async (page: Awaited<ReturnType<typeof open>>) => {
    await page.goto("/auth/login?next=/users/rules");
    await page.getByLabel("Username or e-mail").fill(ADMIN.login);
    await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await page.waitForURL(/\/users\/rules$/);
  };
  await using provider = await startProvider({ app, port: ports.main });
  try {
    const projectId = await addProject(server);
    const deep = `/project/${projectId}/history?status=error`;

    await t.step("Erin says what a group gives, and sees who would get it", async () => {
      const page = await open({ javaScriptEnabled: false });
      await enter(page);
      await page.getByRole("button", { name: "Add rule" }).click();
      await page.locator("#rules").getByLabel("Claim").fill("groups");
      await page.locator("#rules").getByLabel("Group").fill(STAFF.rule);
      await page.locator("#rules").getByLabel("Grants").selectOption(STAFF.role);
      await page.locator("#rules").getByLabel("Project").selectOption(String(projectId));
      await page.getByRole("button", { name: "Show the effect of these rules" }).click();
      assert.equal(await page.getByText("No one has signed in through a provider yet.").count(), 1);
      await page.getByRole("button", { name: "Save rules" }).click();
      assert.equal(await page.getByText("Rules saved").count(), 1);
    });

    for (const javaScriptEnabled of [true, false]) {
      const how = javaScriptEnabled ? "with a script" : "without a script";
      await t.step(`${how} Zoe comes to the page that she wanted, and goes`, async () => {
        provider.manners.subject = "zoe-1";
        const page = await open({ javaScriptEnabled });
        await page.goto(deep);
        await page.getByRole("link", { name: "Sign in with Corp" }).click();
        await page.waitForURL(app + deep);
        await page.goto("/account/security");
        assert.equal(await page.locator("#links").getByText("Corp").count() > 0, true);
        assert.equal(await page.getByLabel("New password").count(), 0);
        await page.getByRole("button", { name: "Unlink" }).click();
        assert.equal(await page.getByText("You would have no way left to sign in").count(), 1);
        await page.goto("/account/security");
        await page.getByRole("button", { name: "Menu" }).click();
        await page.locator("summary, button").filter({ hasText: "Zoe Z" }).click();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByRole("link", { name: "Also sign out of Corp" }).waitFor();
      });

      await t.step(
        `${how} the administrator links an account, comes by it, and unlinks it`,
        async () => {
          provider.manners.subject = `boss-${javaScriptEnabled}`;
          const page = await open({ javaScriptEnabled });
          await enter(page);
          await page.goto("/account/security");
          const links = page.locator("#links");
          await links.getByLabel("Provider").selectOption("main");
          await links.getByLabel("Current password").fill("wrong");
          await links.getByRole("button", { name: "Link", exact: true }).click();
          assert.equal(
            await links.getByText("This is not your current password").count() > 0,
            true,
          );
          await links.getByLabel("Provider").selectOption("main");
          await links.getByLabel("Current password").fill(ADMIN.password);
          await links.getByRole("button", { name: "Link", exact: true }).click();
          await page.getByText("Provider linked").waitFor();
          const other = await open({ javaScriptEnabled });
          await other.goto("/users");
          await other.getByRole("link", { name: "Sign in with Corp" }).click();
          await other.waitForURL(`${app}/users`);
          await page.goto("/account/security");
          await page.locator("#links").getByRole("button", { name: "Unlink" }).click();
          const confirm = page.locator("#confirm");
          await confirm.getByLabel("Current password").fill(ADMIN.password);
          await confirm.getByRole("button", { name: "Unlink" }).click();
          await page.getByText("Provider unlinked").waitFor();
          provider.manners.subject = "zoe-1";
        },
      );
    }

    await t.step("an absent provider is named; pages are accessible and fit a phone", async () => {
      const stranger = await open();
      await stranger.goto("/auth/login");
      await stranger.getByRole("link", { name: "Sign in with Away" }).click();
      assert.equal(await stranger.getByText("Away cannot be reached right now").count(), 1);
      assert.equal(await stranger.getByText("Unreachable at the last attempt").count(), 1);
      await assertAccessible(stranger);
      await assertFitsWidth(stranger);
      const page = await open();
      await enter(page);
      await page.getByRole("button", { name: "Show the effect of these rules" }).click();
      await page.getByText("Web shop: Manager").waitFor();
      for (const path of ["", "/users/waiting", "/users", "/account/security"]) {
        if (path) await page.goto(path);
        await assertAccessible(page);
        await assertFitsWidth(page);
      }
    });
  } finally {
    await contexts[Symbol.asyncDispose]();
    await server.end("SIGTERM");
    for (const folder of [dataDir, settings]) await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("behind a proxy with TLS, and under a sub-path, the way there and back is right", async () => {
  const directory = await Deno.makeTempDir({ prefix: "callboard_tls_" });
  const [certificate, key] = await makeCertificate(directory);
  const port = await freePort();
  const app = `https://127.0.0.1:${port}/ops/board`;
  await using provider = await startProvider({ app });
  await using world = await newWorld({
    config: { url: new URL(app), basePath: "/ops/board", trustProxy: true },
    deps: { providers: providersOf({ main: provider }) },
  });
  const proxy = Deno.serve({
    hostname: "127.0.0.1",
    port,
    cert: await Deno.readTextFile(certificate),
    key: await Deno.readTextFile(key),
    onListen() {},
  }, async (req) => {
    const { pathname, search, host } = new URL(req.url);
    const headers = new Headers(req.headers);
    headers.set("X-Forwarded-Proto", "https");
    headers.set("X-Forwarded-Host", host);
    return await world.request(`http://10.0.0.5:3000${pathname}${search}`, {
      method: req.method,
      headers,
      body: req.body && await req.arrayBuffer(),
    });
  });
  const contexts = await newContexts();
  try {
    const context = await contexts.open({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`${app}/account?x=1&y=2`);
    assert.equal(new URL(page.url()).pathname, "/ops/board/auth/login");
    await page.getByRole("link", { name: "Sign in with The main provider" }).click();
    await page.waitForURL(`${app}/account?x=1&y=2`);
    const session = (await context.cookies()).find(({ name }) => name === "callboard");
    assert.deepEqual(
      [session?.path, session?.secure, session?.httpOnly, session?.sameSite],
      ["/ops/board", true, true, "Lax"],
    );
    const left = (await context.cookies(`${app}/api/auth/oidc/main/redirect`))
      .filter(({ name }) => name.startsWith("callboard_sso"));
    assert.deepEqual(left, []);
    provider.manners.consents = false;
    await context.clearCookies();
    await page.goto(`${app}/account`);
    await page.getByRole("link", { name: "Sign in with The main provider" }).click();
    await page.getByText("You did not allow").waitFor();
    assert.equal(new URL(page.url()).pathname, "/ops/board/auth/login");
  } finally {
    await contexts[Symbol.asyncDispose]();
    await proxy.shutdown();
    await Deno.remove(directory, { recursive: true });
  }
});
