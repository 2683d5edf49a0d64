import { listSessionRows } from "@/lib/access/sessions.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import assert from "node:assert/strict";
import { startProvider, type TestProvider } from "./oidc_provider.ts";
import { newSsoBrowser, providersOf, type SsoBrowser } from "./sso_browser.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface SsoStage extends AsyncDisposable {
  provider: TestProvider;
  world: World;
  browser: SsoBrowser;
}

/** Creates a world with a real provider whose id is `main`, and a browser. */
export async function newSsoStage(settings: object = {}): Promise<SsoStage> {
  const provider = await startProvider();
  const providers = providersOf({ main: provider }, { main: settings });
  const world = await newWorld({ deps: { providers } });
  return {
    provider,
    world,
    browser: newSsoBrowser(world),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export const APP = "http://callboard.test";
export const START = "/api/auth/oidc/main/login?redirect=/account";

/** Whether the URL leads back from a provider. */
export const isBack = (url: string): boolean => url.includes("/redirect?");

/** Returns the sentence on the sign-in page, and the log entry with the same reference. */
export async function refusal(
  { browser, world }: Pick<SsoStage, "browser" | "world">,
  path = START,
): Promise<{ told: string; why: string }> {
  const { url, response } = await browser.follow(path);
  assert.match(url, /^http:\/\/callboard\.test\/auth\/login/);
  const html = await response.text();
  const told = /role="alert".*?<p>(.*?)<\/p>/s.exec(html)?.[1] ?? html;
  const ref = /Reference: ([0-9a-f]{8})/.exec(told)?.[1];
  const line = world.log.find(({ fields }) => fields.ref === ref);
  assert.ok(line, `${told} ${JSON.stringify(world.log)}`);
  return { told, why: String(line.fields.why ?? line.fields.reason ?? line.fields.error) };
}

/** Returns the sessions of a person. */
export async function sessionsOf({ kv, clock }: World, login = "zoe") {
  const user = (await findUserByLogin(kv, login))?.value;
  return user ? await listSessionRows(kv, user.id, clock.now()) : [];
}

/** Signs in as one of the cast, by giving their session to the browser. */
export function signInAs({ world, browser }: SsoStage, person: keyof World["people"]): void {
  browser.cookies.set(APP, new Map([["callboard", world.people[person].token]]));
}

/** Sends a form as a browser does on the server's own pages. */
export const send = (browser: SsoBrowser, path: string, fields: Record<string, string>) =>
  browser.ask(APP + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Origin: APP, "Sec-Fetch-Site": "same-origin" },
  });
