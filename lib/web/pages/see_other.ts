import type { State } from "../state.ts";
import type { Sentence } from "../../base/errors.ts";
import { setFlash } from "./flash.ts";

interface RedirectContext {
  url: URL;
  state: State;
  redirect(path: string, status: number): Response;
}

/** Redirects to a page of the application after a form was saved, with a message for that page. */
export function seeOther(
  ctx: RedirectContext,
  path: string,
  key?: string,
  params?: Sentence["params"],
): Response {
  const response = ctx.redirect(ctx.state.ui.href(path), 303);
  if (key) {
    const { config } = ctx.state.deps;
    setFlash(response.headers, config, ctx.url, { kind: "success", key, params });
  }
  return response;
}
