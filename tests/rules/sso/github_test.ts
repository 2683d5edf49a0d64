import { getIdentity } from "@/lib/people/identities/repository.ts";
import { createProviders } from "@/lib/oidc/provider.ts";
import { conceal } from "@/lib/base/secret.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import assert from "node:assert/strict";
import { CLIENT } from "@/tests/support/services/oidc_provider.ts";
import { providersOf } from "@/tests/support/services/sso_browser.ts";
import { newSsoBrowser } from "@/tests/support/services/sso_browser.ts";
import { APP, refusal } from "@/tests/support/services/sso_stage.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Serves GitHub's sign-in and three calls of its API on loopback, as GitHub documents them. */
function serveGitHub() {
  const manners = { verified: true, id: 583231 };
  const seen: { secrets: (string | null)[]; bearer: (string | null)[] } = {
    secrets: [],
    bearer: [],
  };
  let challenge = "";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (req) => {
    const { pathname, searchParams } = new URL(req.url);
    if (pathname === "/login/oauth/authorize") {
      challenge = searchParams.get("code_challenge")!;
      const back = new URL(searchParams.get("redirect_uri")!);
      back.searchParams.set("state", searchParams.get("state")!);
      back.searchParams.set("code", "one-time");
      return Response.redirect(back, 302);
    }
    if (pathname === "/login/oauth/access_token") {
      const form = new URLSearchParams(await req.text());
      seen.secrets.push(form.get("client_secret"));
      const hash = await crypto.subtle.digest(
        "SHA-256",
        new TextEncoder().encode(form.get("code_verifier") ?? ""),
      );
      const isRight =
        new Uint8Array(hash).toBase64({ alphabet: "base64url", omitPadding: true }) ===
          challenge;
      // Errors have status 200.
      if (form.get("client_secret") !== CLIENT.secret) {
        return Response.json({ error: "incorrect_client_credentials" });
      }
      return Response.json(
        isRight
          ? { access_token: "gho_1", token_type: "bearer" }
          : { error: "bad_verification_code" },
      );
    }
    seen.bearer.push(req.headers.get("authorization"));
    switch (pathname) {
      case "/api/v3/user":
        return Response.json({ id: manners.id, login: "octo", name: null, email: null });
      case "/api/v3/user/emails":
        return Response.json([
          { email: "old@example.com", primary: false, verified: true },
          { email: "octo@example.com", primary: true, verified: manners.verified },
        ]);
      case "/api/v3/user/teams":
        return Response.json([{ slug: "ops", organization: { login: "corp" } }]);
      default:
        return new Response(null, { status: 404 });
    }
  });
  const issuer = `http://127.0.0.1:${server.addr.port}`;
  return { issuer, manners, seen, [Symbol.asyncDispose]: () => server.shutdown() };
}

const START = "/api/auth/oidc/gh/login?redirect=/account";

Deno.test("people of GitHub come by their number there, with a confirmed address and their teams", async () => {
  await using github = serveGitHub();
  const providers = providersOf({ gh: github }, {
    gh: { preset: "github", display_name: "GitHub", provider_url: github.issuer },
  });
  await using world = await newWorld({ deps: { providers } });
  github.manners.verified = false;
  const { told } = await refusal({ world, browser: newSsoBrowser(world) }, START);
  assert.match(told, /is not verified at/);
  github.manners.verified = true;
  const { url } = await newSsoBrowser(world).follow(START);
  assert.equal(url, `${APP}/account`, JSON.stringify(world.log));
  const user = (await findUserByLogin(world.kv, "octo"))?.value;
  assert.deepEqual([user?.email, user?.name], ["octo@example.com", "octo"]);
  const key = { issuer: github.issuer, subject: "583231" };
  const { value } = await getIdentity(world.kv, key);
  assert.deepEqual(value?.claims.groups, ["corp", "corp/ops"]);
  assert.deepEqual(new Set(github.seen.bearer), new Set(["Bearer gho_1"]));
  // Another number with the same name and address is another person, and is not let in as Octo.
  github.manners.id = 2;
  const other = await refusal({ world, browser: newSsoBrowser(world) }, START);
  assert.match(other.told, /already belongs to an account here/);
});

Deno.test("a wrong secret is named, although GitHub answers it with status 200", async () => {
  await using github = serveGitHub();
  const [{ settings }] = providersOf({ gh: github }, {
    gh: { preset: "github", display_name: "GitHub", provider_url: github.issuer },
  }).list;
  await using world = await newWorld();
  const wrong = { settings, secret: conceal("wrong"), ca: null };
  world.deps.providers = createProviders([wrong], world.clock);
  const { why } = await refusal({ world, browser: newSsoBrowser(world) }, START);
  assert.match(why, /^token endpoint: .* incorrect_client_credentials; see client_id, client_secr/);
});
