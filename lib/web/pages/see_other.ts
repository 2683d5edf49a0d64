import type { State } from "../state.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
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

/** Statuses of commands that people can give again in another way. */
const REFUSED = [400, 409];

/**
 * Carries out the command of a button. If it is refused, it redirects to the page of the button,
 * which says why.
 */
export async function orBack<Answer>(
  ctx: RedirectContext,
  path: string,
  command: () => Promise<Answer>,
): Promise<Answer | Response> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSED.includes(error.status)) throw error;
    const response = ctx.redirect(ctx.state.ui.href(path), 303);
    const { config } = ctx.state.deps;
    setFlash(response.headers, config, ctx.url, { kind: "danger", ...sentenceOf(error) });
    return response;
  }
}
