import { readFileRules } from "@/lib/access/file_rules.ts";
import { requireSignInMethod } from "@/lib/base/settings/config.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { readProviders } from "@/lib/oidc/read_settings.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { revealed } from "@/tests/support/basics/revealed.ts";

const envOf = (variables: Record<string, string>) => ({ get: (name: string) => variables[name] });

/** Reads a file of providers as the start does. */
async function read(content: unknown, more: Record<string, string> = {}) {
  const dir = await Deno.makeTempDir({ prefix: "callboard_oidc_" });
  const path = join(dir, "oidc.json");
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await Deno.writeTextFile(path, text.replaceAll("DIR", dir));
  await Deno.writeTextFile(join(dir, "secret"), "from a file\n");
  await Deno.writeTextFile(join(dir, "empty"), "\n");
  try {
    return await readProviders(envOf({ CALLBOARD_OIDC_FILE: path, ...more }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const ONE = { display_name: "One", provider_url: "https://one.example.com", client_id: "c" };

Deno.test("a block of another server's settings can be pasted as it is", async () => {
  const [second, first] = await read({
    port: ":3000",
    oidc_providers: {
      keycloak: {
        display_name: "Our people",
        provider_url: "https://id.example.com/realms/corp",
        client_id: "semaphore",
        client_secret_file: "DIR/secret",
        redirect_url: "https://semaphore.example.com/api/auth/oidc/keycloak/redirect/",
        scopes: ["openid", "profile", "email", "groups"],
        username_claim: "preferred_username",
        name_claim: "{{ .given_name }} {{ .family_name }}",
        email_claim: "email | {{ .preferred_username }}@example.com",
        color: "orange",
        icon: "login",
        order: 2,
      },
      own: {
        display_name: "Without discovery",
        client_id: "x",
        client_secret: "y",
        order: 1,
        endpoint: {
          issuer: "https://own.example.com",
          auth: "https://own.example.com/auth",
          token: "https://own.example.com/token",
          userinfo: "https://own.example.com/me",
          jwks: "https://own.example.com/keys",
          algorithms: ["RS256"],
        },
      },
    },
  }).then((list) => list.toReversed());
  assert.deepEqual([first.settings.id, second.settings.id], ["own", "keycloak"]);
  assert.equal(revealed(second.secret!), "from a file");
  assert.equal(JSON.stringify(second).includes("from a file"), false);
  assert.equal(second.settings.email_claim, "email | {{ .preferred_username }}@example.com");
});

Deno.test("presets say what is the same everywhere, and what is set beside them counts", async () => {
  const list = await read({
    google: { preset: "google", client_id: "g" },
    work: { preset: "entra", tenant: "0000-1111", client_id: "e", display_name: "Work" },
    gh: { preset: "github", client_id: "h" },
    ours: { preset: "gitlab", provider_url: "https://git.example.com", client_id: "l" },
    ...Object.fromEntries(
      ["keycloak", "okta", "authentik"].map((preset) => [
        preset,
        { preset, provider_url: "https://id.example.com", client_id: "k" },
      ]),
    ),
  });
  const of = (id: string) => list.find(({ settings }) => settings.id === id)!.settings;
  assert.equal(of("google").provider_url, "https://accounts.google.com");
  assert.equal(of("work").provider_url, "https://login.microsoftonline.com/0000-1111/v2.0");
  assert.equal(of("work").display_name, "Work");
  assert.equal(of("gh").kind, "github");
  assert.equal(of("ours").provider_url, "https://git.example.com");
  assert.deepEqual(list.map(({ secret }) => secret), list.map(() => null));
});

Deno.test("a single provider is set by variables", async () => {
  const [{ settings, secret }] = await readProviders(envOf({
    CALLBOARD_OIDC_PROVIDER_URL: "https://id.example.com",
    CALLBOARD_OIDC_CLIENT_ID: "callboard",
    CALLBOARD_OIDC_CLIENT_SECRET: "s",
    CALLBOARD_OIDC_SCOPES: "openid email, groups",
    CALLBOARD_OIDC_NEW_ACCOUNTS: "ask",
  }));
  assert.deepEqual(
    [settings.id, settings.scopes, settings.new_accounts, revealed(secret!)],
    ["oidc", ["openid", "email", "groups"], "ask", "s"],
  );
  assert.deepEqual(await readProviders(envOf({})), []);
});

Deno.test("settings that cannot be used end in a sentence that names them, and no secret", async () => {
  const cases: [unknown, RegExp][] = [
    ["{", /is not JSON/],
    [[], /oidc.json cannot be used/],
    [{ "a b": ONE }, /a b/],
    [{ a: { ...ONE, client_id: undefined } }, /a\.client_id: is missing/],
    [{ a: { display_name: "A", client_id: "x" } }, /a\.provider_url: is missing/],
    [{ a: { ...ONE, provider_url: "http://id.example.com" } }, /must start with https/],
    [{ a: { ...ONE, provider_url: "ftp://x" } }, /must be an http or https address/],
    [{ a: { ...ONE, display_name: " " } }, /a\.display_name/],
    [{ a: { ...ONE, preset: "gogle" } }, /a\.preset: must be one of .*did you mean google/],
    [{ a: { ...ONE, tenant: "x" } }, /a\.tenant: is only for the preset entra/],
    [
      { a: { ...ONE, clientsecret: "s" } },
      /"clientsecret" is not known, did you mean "client_secret"/,
    ],
    [{ a: { ...ONE, wholly_other: 1 } }, /a: "wholly_other" is not known$/],
    [
      { a: { ...ONE, endpoint: { auth: "https://x", token: "https://x", jwk: "https://x" } } },
      /a\.endpoint: "jwk" is not known, did you mean "jwks"/,
    ],
    [
      { a: { ...ONE, provider_url: "https://x/.well-known/openid-configuration" } },
      /a\.provider_url: must be the issuer: the address before/,
    ],
    [
      { a: { ...ONE, ca_file: "DIR/secret" } },
      /provider a: ca_file must contain certificates in PEM format/,
    ],
    [{ a: { ...ONE, email_claim: "{{ if .x }}" } }, /a\.email_claim: may contain only names/],
    [{ a: { ...ONE, scopes: ["a b"] } }, /a\.scopes\.0: must be a single word/],
    [{ a: { ...ONE, new_accounts: "maybe" } }, /a\.new_accounts/],
    [{ a: { ...ONE, color: "url(javascript:1)!" } }, /must be a color/],
    [{ a: { ...ONE, client_secret_file: "DIR/none" } }, /provider a: .*the file does not exist/],
    [{ a: { ...ONE, client_secret_file: "DIR/empty" } }, /provider a: .*is empty/],
  ];
  for (const [content, expected] of cases) {
    await assert.rejects(
      read(content),
      (error: Error) => error.name === "ConfigError" && expected.test(error.message),
      JSON.stringify(content),
    );
  }
  await assert.rejects(
    readProviders(envOf({ CALLBOARD_OIDC_FILE: "/no/such.json" })),
    /CALLBOARD_OIDC_FILE: \/no\/such\.json cannot be read: the file does not exist/,
  );
  await assert.rejects(
    readProviders(envOf({ CALLBOARD_OIDC_CLIENT_ID: "x" })),
    /^ConfigError: CALLBOARD_OIDC_PROVIDER_URL is missing$/,
  );
  const http = { a: { ...ONE, provider_url: "http://id.lan", allow_http: true } };
  assert.equal((await read(http)).length, 1);
});

Deno.test("rules for groups come from a file that is checked as well", async () => {
  const path = await Deno.makeTempFile();
  const env = envOf({ CALLBOARD_GROUP_RULES_FILE: path });
  try {
    const rules = [
      { value: "ops", gives: "manager", project: "Web shop" },
      { claim: "realm_access.roles", value: "root", gives: "admin" },
    ];
    await Deno.writeTextFile(path, JSON.stringify(rules));
    assert.deepEqual((await readFileRules(env)).map(({ claim }) => claim), [
      "groups",
      "realm_access.roles",
    ]);
    for (
      const [rule, expected] of [
        [{ value: "ops", gives: "owner" }, /0\.project: is required with a role/],
        [{ value: "ops", gives: "The king" }, /0\.gives/],
        [{ value: "ops", gives: "admin", projct: 1 }, /projct/],
      ] as const
    ) {
      await Deno.writeTextFile(path, JSON.stringify([rule]));
      await assert.rejects(readFileRules(env), expected);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a server that would let no one in does not start", () => {
  const closed = readConfig(envOf({ CALLBOARD_PASSWORD_SIGN_IN_DISABLED: "true" }), "");
  assert.throws(() => requireSignInMethod(closed, 0), /would lock everyone out/);
  requireSignInMethod(closed, 1);
  requireSignInMethod(readConfig(envOf({}), ""), 0);
});
