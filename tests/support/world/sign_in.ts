import assert from "node:assert/strict";
import { PASSWORD, type Person } from "./cast.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import type { FormFields, World } from "./world.ts";

/** A browser with cookies, without a script. */
export interface TestBrowser {
  cookies: Record<string, string>;
  get(path: string): Promise<Response>;
  /** Sends a form. With `late`, its session has ended before. */
  post(path: string, form: FormFields, options?: { late?: boolean }): Promise<Response>;
}

export function newBrowser(world: World): TestBrowser {
  const cookies: Record<string, string> = {};
  const send = async (path: string, init: RequestInit = {}) => {
    const Cookie = Object.entries(cookies).filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ");
    const headers = { Cookie, Origin: "http://callboard.test" };
    const response = await world.request(path, { ...init, headers });
    Object.assign(cookies, cookiesOf(response));
    return response;
  };
  return {
    cookies,
    get: (path) => send(path),
    post(path, form, { late = false } = {}) {
      if (late) delete cookies.callboard;
      if (form instanceof FormData) return send(path, { method: "POST", body: form });
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(form)) {
        for (const value of [values].flat()) body.append(name, value);
      }
      return send(path, { method: "POST", body });
    },
  };
}

/** Signs in as people do. Also returns where that led. */
export async function signInWithForm(
  world: World,
  person: Person,
  { browser = newBrowser(world), at = "/auth/login" }: { browser?: TestBrowser; at?: string } = {},
) {
  const response = await browser.post(at, { auth: person, password: PASSWORD });
  assert.equal(response.status, 303, await response.text());
  return { browser, location: response.headers.get("location")! };
}
