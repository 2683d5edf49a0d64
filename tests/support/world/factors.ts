import assert from "node:assert/strict";
import { base32nopad } from "@scure/base";
import { totpAt } from "@/lib/people/factors/totp.ts";
import { PASSWORD, type Person } from "./cast.ts";
import { newBrowser, type TestBrowser } from "./sign_in.ts";
import type { World } from "./world.ts";

/** A person's authenticator app, and their recovery codes on paper. */
interface Authenticator {
  /** Returns the current code, or the one after `steps` times 30 seconds. */
  code(steps?: number): string;
  recovery: string[];
}

/** Returns an app that has scanned the secret of a page. */
export function appOf(world: World, html: string): Pick<Authenticator, "code"> & { setup: string } {
  const uri = new URL(/href="(otpauth:[^"]+)"/.exec(html)![1].replaceAll("&amp;", "&"));
  const secret = base32nopad.decode(uri.searchParams.get("secret")!);
  const [, setup] = /name="setup" value="([^"]+)"/.exec(html)!;
  return { setup, code: (steps = 0) => totpAt(secret, world.clock.now(), steps) };
}

/** Sets up a second factor as people do. Afterwards the app shows a new code. */
export async function enrol(world: World, person: Person): Promise<Authenticator> {
  const page = await (await world.get(person, "/account/second_factor")).text();
  const { setup, code } = appOf(world, page);
  const form = { setup, code: code(), current_password: PASSWORD };
  const answer = await world.post(person, "/account/second_factor", form);
  const html = await answer.text();
  assert.equal(answer.status, 200, html);
  const list = html.slice(html.indexOf('id="recovery-codes"'));
  const recovery = [...list.matchAll(/<code>([a-z0-9-]+)<\/code>/g)].map(([, text]) => text);
  assert.equal(recovery.length, 10);
  world.clock.advance(30_000);
  return { code, recovery };
}

/** Returns a browser in which the password was right, and a code is required. */
export async function passwordGiven(
  world: World,
  person: Person,
  browser = newBrowser(world),
  query = "",
): Promise<TestBrowser> {
  const given = { auth: person, password: PASSWORD };
  const response = await browser.post(`/auth/login${query}`, given);
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), `/auth/code${query}`);
  assert.ok(!browser.cookies.callboard);
  return browser;
}
