import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createProviders } from "@/lib/oidc/provider.ts";
import { conceal } from "@/lib/base/secret.ts";
import { tryWaysIn } from "@/lib/people/sso/try_ways_in.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { CLIENT, freePort } from "@/tests/support/services/oidc_provider.ts";
import { newSsoBrowser, providersOf } from "@/tests/support/services/sso_browser.ts";
import { newSsoStage, refusal, sessionsOf, START } from "@/tests/support/services/sso_stage.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Returns the line that a start logs for a provider with this issuer. */
async function whyAtStart(issuer: string, ca: string | null = null) {
  const [{ settings }] = providersOf({ main: { issuer } }).list;
  await using world = await newWorld();
  const read = [{ settings, secret: conceal(CLIENT.secret), ca }];
  world.deps.providers = createProviders(read, world.clock);
  await tryWaysIn(world.deps);
  const { event, fields } = world.log.find(({ event }) => event.startsWith("sso_"))!;
  return `${event} ${fields.why ?? fields.issuer}`;
}

Deno.test("the start asks providers once, and says what is wrong with which setting", async () => {
  const dir = await Deno.makeTempDir({ prefix: "callboard_repair_" });
  const ca = await makeCertificates(dir, "DNS:localhost");
  const [cert, key] = await Promise.all(
    ["cert.pem", "key.pem"].map((name) => Deno.readTextFile(join(dir, name))),
  );
  await using stage = await newSsoStage();
  const plain = stage.provider.issuer;
  let issuer = "";
  const server = createServer({ cert, key }, (_, res) => {
    const endpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
    res.end(JSON.stringify({
      issuer,
      ...Object.fromEntries(endpoints.map((name) => [name, `${issuer}/${name}`])),
    }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  issuer = `https://localhost:${port}`;
  try {
    const cases: [issuer: string, ca: string | null, said: RegExp][] = [
      [plain, null, new RegExp(`^sso_ready ${plain}$`)],
      [`${plain}/`, null, new RegExp(`^sso_ready ${plain}$`)],
      [issuer, ca, /^sso_ready https:\/\/localhost/],
      [issuer, null, /authority that is not trusted here .*; see ca_file$/],
      [`https://127.0.0.1:${port}`, ca, /certificate is for another host name .*provider_url$/],
      [`http://localhost:${port}`, null, /the port may want https:\/\/; see provider_url/],
      [plain.replace("http:", "https:"), null, /no TLS on this port .*; see provider_url/],
      ["https://nowhere.invalid", null, /unknown host.*; see provider_url/],
      [`http://127.0.0.1:${await freePort()}`, null, /connection refused.*; see provider_url/],
      [`${plain}/x`, null, /^sso_unusable discovery: .*answered 404.*; see provider_url$/],
      [
        `${plain}/auth`,
        null,
        new RegExp(`looks like an endpoint, and the issuer may be ${plain};`),
      ],
      [
        `${plain}/realms/corp/protocol/openid-connect/auth`,
        null,
        new RegExp(`the issuer may be ${plain}/realms/corp;`),
      ],
    ];
    for (const [address, ca, said] of cases) assert.match(await whyAtStart(address, ca), said);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a wrong client secret is named, and so is the person who was not let in", async () => {
  await using stage = await newSsoStage({ new_accounts: "refuse" });
  const { world, provider } = stage;
  await refusal(stage);
  const { fields } = world.log.find(({ event }) => event === "sso_failed")!;
  assert.deepEqual([fields.subject, fields.username], ["zoe-1", "zoe"]);
  world.log.length = 0;
  const [{ settings }] = world.deps.providers.list;
  const wrong = { settings, secret: conceal("wrong"), ca: null };
  world.deps.providers = createProviders([wrong], world.clock);
  const { why } = await refusal(stage, START);
  assert.match(
    why,
    /^token endpoint: .*answered 401 invalid_client.*; see client_id, client_secret$/,
  );
  assert.ok(!why.includes(CLIENT.secret) && provider.issuer);
});

Deno.test("a provider that issues no ID token is named with the setting to change", async () => {
  await using stage = await newSsoStage();
  stage.provider.manners.idToken = () => undefined;
  assert.equal((await refusal(stage)).why, "the token endpoint returned no ID token; see scopes");
});

Deno.test("a start that no one can sign in after says how to get in", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider } = stage;
  const warnings = () => world.log.filter(({ event }) => event === "nobody_can_sign_in");
  await tryWaysIn(world.deps);
  assert.equal(warnings().length, 0, "passwords do");
  world.deps.config = { ...world.deps.config, passwordSignIn: false };
  await tryWaysIn(world.deps);
  assert.match(String(warnings()[0].fields.why), /no account is linked/);
  assert.equal(warnings()[0].fields.recover, "deno task user link --login NAME");
  await browser.follow(START);
  await tryWaysIn(world.deps);
  assert.equal(warnings().length, 1, "somebody is linked by now");
  await provider.stop();
  world.deps.providers = providersOf({ main: provider });
  await tryWaysIn(world.deps);
  assert.match(String(warnings()[1].fields.why), /no provider can be reached/);
  await provider.start();
});

Deno.test("an admin sees what a provider said of someone, and which rule matched why", async () => {
  await using stage = await newSsoStage();
  const { world, browser, provider } = stage;
  provider.manners.claims = { ...provider.manners.claims, groups: ["/ops", "<staff>"] };
  const rules = [["ops", "admin"], ["<staff>", "sign_in"]].map(([value, gives]) => ({
    provider: "main",
    claim: "groups",
    value,
    gives,
  }));
  world.deps.fileRules = rules as typeof world.deps.fileRules;
  assert.match((await browser.follow(START)).url, /account$/);
  const [{ row: { user_id } }] = await sessionsOf(world);
  const page = await (await world.get("erin", `/users/${user_id}`)).text();
  assert.match(page, /Last sign-in with The main provider/);
  assert.match(page, /zoe@corp\.example\.com/);
  assert.match(page, /(?:"|&quot;)ops(?:"|&quot;) is not (?:"|&quot;)\/ops(?:"|&quot;)\./);
  assert.match(page, /contains (?:"|&quot;)&lt;staff>|contains (?:"|&quot;)&lt;staff&gt;/);
  assert.ok(!page.includes("at_hash") && !page.includes("nonce</"));
  assert.equal((await world.get("alice", `/users/${user_id}`)).status, 404);

  provider.manners.claims = { ...provider.manners.claims, groups: ["/staff"] };
  world.log.length = 0;
  stage.browser = newSsoBrowser(world);
  assert.match((await refusal(stage)).told, /None of your groups is allowed to sign in here/);
  const { fields } = world.log.find(({ event }) => event === "not_in_a_group")!;
  assert.deepEqual([fields.username, fields.subject], ["zoe", "zoe-1"]);
  assert.deepEqual(fields.wanted, [{ value: "<staff>", like: "/staff" }]);
});
