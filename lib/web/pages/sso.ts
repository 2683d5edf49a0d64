import type { PublicScope } from "../../access/operation.ts";
import { signOut } from "../../people/sessions/service.ts";
import { COOKIE_AGE_SECONDS } from "../../people/sso/attempts.ts";
import type { SsoResult } from "../../people/sso/finish.ts";
import type { SsoRedirect } from "../../people/sso/start.ts";
import type { Config } from "../../base/settings/config.ts";
import { setCookie } from "../../http/cookies.ts";
import type { Sentence } from "../../base/errors.ts";
import { localPath } from "../../http/local_path.ts";
import { paths } from "../../base/paths.ts";
import { setFlash } from "./flash.ts";
import { wayAfter } from "./signed_in.ts";
import { setSignInCookies } from "../session_cookies.ts";
import type { State } from "../state.ts";

/** The caller, as pages and calls of the API know them. */
type Caller = PublicScope & Pick<State, "ui">;

type Addresses = Pick<Config, "basePath" | "url">;

/** Returns the URL of the application as visitors see it, without a trailing slash. */
export const baseOf = ({ basePath, url: publicUrl }: Addresses, url: URL): string =>
  (publicUrl ?? url).origin + basePath;

/**
 * Returns the page to open after the sign-in: `redirect` from existing clients, whose own query may
 * follow it unescaped, or `next` from the sign-in page.
 */
export function wantedAfter({ searchParams }: URL): string {
  const { redirect, next, ...more } = Object.fromEntries(searchParams);
  const query = new URLSearchParams(more).toString();
  const path = redirect ?? next ?? "/";
  return localPath(query === "" ? path : path + (path.includes("?") ? "&" : "?") + query);
}

/** Redirects a browser to a provider, with a cookie that identifies the browser when it returns. */
export function redirectToProvider(
  { deps }: PublicScope,
  url: URL,
  { url: to, cookie }: SsoRedirect,
): Response {
  const headers = new Headers({ Location: to, "Cache-Control": "no-store" });
  keepSsoCookie(headers, deps.config, url, cookie.name, cookie.value);
  return new Response(null, { status: 303, headers });
}

/** Adds the cookie of an attempt. An empty value deletes it. */
export function keepSsoCookie(
  headers: Headers,
  config: Addresses,
  url: URL,
  name: string,
  value: string,
): void {
  setCookie(headers, name, value, {
    path: `${config.basePath}/api/auth/oidc`,
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: value === "" ? 0 : COOKIE_AGE_SECONDS,
  });
}

/** Redirects to the sign-in page, which shows the error and keeps the page to open next. */
export const failedAtStart = (state: Caller, url: URL, next: string, failed: Sentence): Response =>
  answer(state, url, paths.signIn(next), failed);

/** Redirects to the wanted page after the sign-in, or shows what went wrong. */
export async function arrived(
  state: Caller,
  url: URL,
  { next, isLink, cookie, signedIn, failed }: SsoResult,
): Promise<Response> {
  const wanted = signedIn ? wayAfter(signedIn, next) : next;
  const to = isLink ? paths.account("security") : failed ? paths.signIn(next) : wanted;
  const response = answer(state, url, to, failed);
  const { deps, actor } = state;
  keepSsoCookie(response.headers, deps.config, url, cookie, "");
  if (signedIn) {
    await signOut(deps, actor);
    setSignInCookies(response.headers, deps.config, url, signedIn);
  } else if (!failed) {
    setFlash(response.headers, deps.config, url, { kind: "success", key: "flash.account.linked" });
  }
  return response;
}

function answer({ deps, ui }: Caller, url: URL, path: string, failed?: Sentence): Response {
  const headers = new Headers({ Location: ui.href(path), "Cache-Control": "no-store" });
  if (failed) setFlash(headers, deps.config, url, { kind: "danger", ...failed });
  return new Response(null, { status: 303, headers });
}
