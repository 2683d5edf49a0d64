import { localPath } from "../../http/local_path.ts";
import { paths } from "../../base/paths.ts";
import type { SignInResult } from "../../people/sessions/complete.ts";
import { setSignInCookies } from "../session_cookies.ts";
import type { State } from "../state.ts";

interface RedirectContext {
  url: URL;
  state: State;
  redirect(path: string, status: number): Response;
}

/** Redirects after a sign-in: to the page that the URL names, or first to the page for the code. */
export function signInResponse(ctx: RedirectContext, result: SignInResult): Response {
  const { url, state: { ui, deps: { config } } } = ctx;
  const next = localPath(url.searchParams.get("next"));
  const response = ctx.redirect(ui.href(wayAfter(result, next)), 303);
  setSignInCookies(response.headers, config, url, result);
  return response;
}

/** Returns `next`, a path of the application, or the page for the code that leads there. */
export const wayAfter = ({ kind }: SignInResult, next: string): string =>
  kind === "signed_in" ? next : paths.signInCode(next);
