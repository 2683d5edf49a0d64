import assert from "node:assert/strict";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { isHeaderValue } from "@/lib/base/text/control.ts";
import { ConfigError, readToken } from "@/lib/base/settings/settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { reveal } from "@/lib/base/secret.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Texts that break a line of a protocol, or that no header can have. */
const NEVER = {
  "a line break": "to\nken",
  "a header": "token\r\nX-Evil: 1",
  "NUL": "to\0ken",
  "an emoji": "token🔑",
  "Polish": "żółw",
};
const AT_THE_END = ["token\n", "token\r\n", "  token\t"];

const post = async (world: World, path: string, body: object) =>
  await world.api("alice", "POST", `/api/project/${world.web.id}${path}`, body);

Deno.test("only a line of Latin-1 is the value of a header", () => {
  for (const [what, text] of Object.entries(NEVER)) assert.equal(isHeaderValue(text), false, what);
  for (const text of ["", "token", "a b", "Jürgen", "ÿ", '~!"']) assert.ok(isHeaderValue(text));
  for (const text of ["\t", "\x7f", "\x80", "\ud800", "Ā"]) {
    assert.equal(isHeaderValue(text), false);
  }
});

const url = "https://vault.example.com";
/** Bodies of secret storages, and the field of each credential. */
const STORAGES: [field: string, body: (text: string) => object][] = [
  ["secret", (secret) => ({ type: "vault", params: { url }, secret })],
  ["params.namespace", (namespace) => ({
    ...{ type: "vault", params: { url, namespace }, secret: "t" },
  })],
  ["secret", (secret) => ({ type: "onepassword", params: { url }, secret })],
  ["params.access_key_id", (access_key_id) => ({
    ...{ type: "aws", params: { region: "eu-west-1", access_key_id }, secret: "s" },
  })],
];

Deno.test("a credential of a storage that no header can have is refused at its field", async () => {
  await using world = await newWorld();
  for (const [field, body] of STORAGES) {
    for (const [what, text] of Object.entries(NEVER)) {
      const { status, body: answer } = await post(world, "/secret_storages", {
        ...{ name: `${field} ${what}`, ...body(text) },
      });
      assert.equal(status, 400, `${field} ${what} ${JSON.stringify(answer)}`);
      assert.match(answer.fields[field], /HTTP header|control characters/, what);
    }
    for (const [n, text] of AT_THE_END.entries()) {
      const { status } = await post(world, "/secret_storages", {
        ...{ name: `${field} ${n}`, ...body(text) },
      });
      assert.equal(status, 201, text);
    }
  }
});

Deno.test("a credential is stored without the line break that was copied with it", async () => {
  await using world = await newWorld();
  const { kv, deps: { secrets }, web } = world;
  for (const [n, secret] of AT_THE_END.entries()) {
    const { body: { id } } = await post(world, "/secret_storages", {
      ...{ name: `Vault ${n}`, type: "vault", params: { url }, secret },
    });
    const row = (await kv.get<{ sealed: Uint8Array }>(
      rowKeys.resource("secret_storages", web.id, id),
    )).value!;
    assert.equal(reveal(await secrets.open(row.sealed), "source"), "token");
  }
});

const server = "https://hooks.example.com";
const TARGETS: [string, string, object][] = [
  ["http", "header_value", { url: server, header: "Authorization" }],
  ["http", "content_type", { url: server }],
  ["gotify", "token", { server }],
  ["matrix", "token", { server, room: "!a:example.com" }],
  ["opsgenie", "token", {}],
  ["ntfy", "token", { topic: "ops" }],
];

Deno.test("a credential of an alert target that no header can have is refused at its field", async () => {
  await using world = await newWorld();
  for (const [kind, field, more] of TARGETS) {
    const make = (text: string) =>
      post(world, "/alert_targets", { name: "Ops", kind, settings: { ...more, [field]: text } });
    for (const [what, text] of Object.entries(NEVER)) {
      const { status, body } = await make(text);
      assert.equal(status, 400, `${kind} ${what} ${JSON.stringify(body)}`);
      assert.match(body.fields[`settings.${field}`], /HTTP header|control characters/, what);
    }
    for (const text of [...AT_THE_END, "Jürgen"]) {
      assert.equal((await make(text)).status, 201, `${kind} ${text}`);
    }
  }
});

Deno.test("a password is one line, because git and Ansible read it as one", async () => {
  await using world = await newWorld();
  const { kv, deps: { secrets }, web } = world;
  const make = (password: string) =>
    post(world, "/keys", {
      ...{ name: "K", type: "login_password", login_password: { login: "git", password } },
    });
  for (const text of ["pass\nhost=evil.example", "a\rb", "a\0b", "\n\n"]) {
    const { status, body } = await make(text);
    assert.equal(status, 400, JSON.stringify(text));
    assert.ok(body.fields["login_password.password"], JSON.stringify(body));
  }
  for (const text of ["pä 🔑 ß\t!", "pä 🔑 ß\t!\n", "pä 🔑 ß\t!\r\n"]) {
    const { status, body } = await make(text);
    assert.equal(status, 201, JSON.stringify(body));
    const row = (await kv.get<{ secret: Uint8Array }>(
      rowKeys.resource("keys", web.id, body.id),
    )).value!;
    assert.match(reveal(await secrets.open(row.secret), "source"), /"pä 🔑 ß\\t!"/);
  }
});

Deno.test("a token of the environment is one word that a header can have", () => {
  const read = (token: string) => readToken({ get: () => token }, "CALLBOARD_AUDIT_TOKEN");
  assert.equal(read("abc\n"), "abc");
  for (const token of ["a b", "a\nb", "żółw", "key🔑", "a\0b"]) {
    assert.throws(() => read(token), ConfigError);
  }
});

Deno.test("settings for alerts have logins and tokens that can be sent", () => {
  const read = (settings: Record<string, string>) =>
    readAlertSettings((name) => settings[name], (name, must) => {
      throw new ConfigError(`${name} ${must}`);
    });
  const mail = (login: string) => read({ CALLBOARD_SMTP_URL: `smtps://${login}@mail.example` });
  for (const login of ["me:50%25", "me:%C3%A4%F0%9F%94%91", "me:a%20b", "me"]) mail(login);
  for (const login of ["me:50%", "me:%zz", "me:a%0Ab", "m%0D%0Ae:a", "me:a%00"]) {
    assert.throws(() => mail(login), /CALLBOARD_SMTP_URL must have a login and password/, login);
  }
  assert.equal(read({ CALLBOARD_TELEGRAM_TOKEN: "12:a-B_c\n" }).telegramToken, "12:a-B_c");
  for (const CALLBOARD_TELEGRAM_TOKEN of ["1/2", "a b", "1\n2", "ż", "1?2"]) {
    assert.throws(() => read({ CALLBOARD_TELEGRAM_TOKEN }), /must be one word/);
  }
});
