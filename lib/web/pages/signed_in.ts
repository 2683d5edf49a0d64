import { localPath } from "../../base/local_path.ts";
import { paths } from "../../base/paths.ts";
import type { SignInResult } from "../../people/sessions/complete.ts";
import { setSignInCookies } from "../session_cookies.ts";
import type { State } from "../state.ts";

interface RedirectContext {
  url: URL;
  state: State;
  redirect(path: string, status: number): Response;
}

/** After a way in: the page that was wanted, which the address says, or before it the code. */
export function signInResponse(ctx: RedirectContext, result: SignInResult): Response {
  const { url, state: { ui, deps: { config } } } = ctx;
  const next = localPath(url.searchParams.get("next"));
  const response = ctx.redirect(ui.href(wayAfter(result, next)), 303);
  setSignInCookies(response.headers, config, url, result);
  return response;
}

/** `next`, a path of ours, or the question for a code that leads there. */
export const wayAfter = ({ kind }: SignInResult, next: string): string =>
  kind === "signed_in" ? next : paths.signInCode(next);
