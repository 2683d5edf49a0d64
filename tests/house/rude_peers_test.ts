import assert from "node:assert/strict";
import { sendMail } from "@/lib/alerts/email/send_mail.ts";
import { tryMailServer } from "@/lib/alerts/email/try_mail_server.ts";
import { sendRequest } from "@/lib/alerts/send_request.ts";
import { httpsReceiver } from "@/lib/audit/https.ts";
import { syslogReceiver } from "@/lib/audit/syslog.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { conceal } from "@/lib/base/secret.ts";
import { ask } from "@/lib/monitoring/checks/ask.ts";
import { checkCertificate } from "@/lib/monitoring/checks/certificate.ts";
import { askSource } from "@/lib/execution/sources/request.ts";
import { createDirectory } from "@/lib/ldap/directory.ts";
import type { LdapSettings } from "@/lib/ldap/settings.ts";
import { restClient } from "@/lib/maintenance/semaphore/rest_client.ts";
import { fetchFromProvider } from "@/lib/oidc/ask.ts";
import { connect } from "@/lib/runner/program/connection.ts";
import { readUrlText } from "@/lib/surveys/url_text.ts";
import * as z from "zod";
import { type Manner, startRudePeer } from "@/tests/support/services/rude_peer.ts";
import { until } from "@/tests/support/basics/until.ts";

const { signal } = new AbortController();

/** Returns what a client says about a peer. It must say it within `limitMs`. */
async function saidIn(limitMs: number, work: () => Promise<unknown>): Promise<string> {
  const begun = performance.now();
  const said = await work().then(
    (result) => result === undefined ? "" : JSON.stringify(result),
    (error) => `${error.message} ${JSON.stringify(error.params ?? {})}`,
  );
  const ms = performance.now() - begun;
  assert.ok(ms < limitMs, `${ms} ms: ${said}`);
  return said;
}

const storage = {
  id: 1,
  name: "Vault",
  kind: "vault",
  secret: null,
  params: {},
  allowPrivate: true,
  waitMs: 60_000,
};
const machine = { sources: { networks: [] } };

/** All that speak HTTP with other servers, and what they say about a switch of protocol. */
const SPEAKERS: Record<string, [work: (url: string) => Promise<unknown>, said: RegExp]> = {
  "secret storage": [
    (url) =>
      // deno-lint-ignore no-explicit-any
      askSource({ storage, machine, path: "a", stop: signal } as any, { url }),
    /^errors\.sources\.unreachable .*\(101\)/,
  ],
  "alert target": [
    (url) =>
      sendRequest({ url, method: "POST", headers: {}, body: "{}" }, {
        secrets: [],
        reach: { mayReach: () => true },
      }),
    /"ok":false,"reason":".*\(101\).*","retry":false/,
  ],
  "alert target of the settings": [
    (url) => sendRequest({ url, method: "POST", headers: {}, body: "{}" }, { secrets: [] }),
    /"ok":false,"reason":".*\(101\).*","retry":false/,
  ],
  "audit receiver": [
    (url) => httpsReceiver({ url, format: "json", token: null, ca: null }, "here").send([], signal),
    /\(101\)/,
  ],
  "sign-in provider": [(url) => fetchFromProvider(url, { ca: null }), /^down.*\(101\)/],
  "choices of a survey": [
    (url) => readUrlText([{ url: new URL(url), authorization: null }], url, 5_000),
    /^errors\.choices\.status \{"status":101\}/,
  ],
  "import": [(url) => restClient(url, "token").get("/users"), /cannot be reached: .*\(101\)/],
  "runner": [
    (url) =>
      connect({ server: url, token: conceal("token"), caCerts: [] })
        .post("", "{}", z.unknown(), { limitMs: 5_000 }),
    /\(101\)/,
  ],
  "doctor": [ask, /"status":101/],
};

for (const [name, [work, expected]] of Object.entries(SPEAKERS)) {
  Deno.test(`a switch of protocol ends a request immediately: ${name}`, async () => {
    for (const manner of ["switches", "switchesBarely"] as const) {
      await using peer = startRudePeer(manner);
      assert.match(await saidIn(2_000, () => work(peer.url)), expected);
      await until(() => peer.open() === 0, 5_000);
      assert.equal(peer.counts.opened, 1);
    }
  });
}

const LIMIT_MS = 500;

/** Does the same with several peers at once, since each takes its time. */
const withEach = (manners: readonly Manner[], work: (manner: Manner) => Promise<void>) =>
  Promise.all(manners.map(work));

Deno.test("a mail server that never comes to the point is left in time", async () => {
  const message = {
    title: "Hello",
    mood: "neutral",
    facts: [],
    url: null,
    project: null,
    task: null,
  };
  await withEach(["silent", "greets", "garbage", "halfClosed", "switches"], async (manner) => {
    await using peer = startRudePeer(manner);
    const env = new Map([["CALLBOARD_SMTP_URL", `smtp://127.0.0.1:${peer.port}`]]);
    const settings = readAlertSettings((name) => env.get(name), (name) => assert.fail(name));
    const sent = await saidIn(
      LIMIT_MS + 1_000,
      () => sendMail(settings, "zoe@example.com", message as never, LIMIT_MS),
    );
    assert.match(sent, /"ok":false/, manner);
    const checked = await saidIn(LIMIT_MS + 1_000, () => tryMailServer(settings, LIMIT_MS));
    assert.match(checked, /"step":"unreachable"/, manner);
    await until(() => peer.open() === 0, 5_000);
  });
});

Deno.test("a directory that never comes to the point is left in time", async () => {
  const settings = {
    issuer: "ldap",
    startTls: false,
    ca: null,
    bind: { dn: "cn=reader", password: conceal("secret") },
    searchDn: "dc=example",
    searchFilter: "(uid=%s)",
    attributes: { id: "entryUUID", username: "uid", name: "cn", email: "mail", groups: "memberOf" },
    groups: null,
    newAccounts: "create",
  } as unknown as LdapSettings;
  await withEach(["silent", "dripsMessage", "garbage", "halfClosed"], async (manner) => {
    for (const scheme of ["ldap", "ldaps"]) {
      await using peer = startRudePeer(manner);
      const url = `${scheme}://127.0.0.1:${peer.port}`;
      const directory = createDirectory({ ...settings, url }, LIMIT_MS);
      assert.match(await saidIn(LIMIT_MS + 1_000, () => directory.check()), /^away/, manner);
      await until(() => peer.open() === 0, 5_000);
    }
  });
});

Deno.test("a receiver of syslog, and a certificate that never comes, are left in time", async () => {
  await withEach(["silent", "garbage", "dripsHead", "deaf"], async (manner) => {
    await using peer = startRudePeer(manner);
    const receiver = syslogReceiver({ host: "127.0.0.1", port: peer.port, ca: null }, "here");
    const gone = AbortSignal.timeout(LIMIT_MS);
    const record = { id: "1", time: "", object_type: "task", action: "x".repeat(1_000) } as never;
    const said = await saidIn(LIMIT_MS + 1_000, () => receiver.send([record], gone));
    assert.ok(said, manner); // It is not confirmed.
    const url = new URL(peer.url.replace("http:", "https:"));
    assert.deepEqual(await checkCertificate(url, { now: () => new Date() }), []);
    if (manner !== "deaf") await until(() => peer.open() === 0, 5_000);
  });
});
