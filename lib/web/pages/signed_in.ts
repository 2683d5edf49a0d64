import { localPath } from "../../base/local_path.ts";
import { paths } from "../../base/paths.ts";
import type { SignInResult } from "../../people/sessions/complete.ts";
import { setSessionCookies, setStepCookie } from "../session_cookies.ts";
import type { State } from "../state.ts";

interface RedirectContext {
  url: URL;
  state: State;
  redirect(path: string, status: number): Response;
}

/** After a way in: the page that was wanted, which the address says, or before it the code. */
export function signInResponse(ctx: RedirectContext, result: SignInResult): Response {
  const { url, state: { ui, deps: { config } } } = ctx;
  const response = ctx.redirect(ui.href(wayAfter(url, result)), 303);
  if (result.kind === "signed_in") setSessionCookies(response.headers, config, url, result);
  else setStepCookie(response.headers, config, url, result.step);
  return response;
}

const wayAfter = ({ searchParams, search }: URL, { kind }: SignInResult): string =>
  kind === "signed_in" ? localPath(searchParams.get("next")) : paths.signInCode(search);
