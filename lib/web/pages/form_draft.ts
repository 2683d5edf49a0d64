/**
 * A form that was sent after its session had ended used to be lost. What was typed belongs to the
 * account and browser of the device cookie, which only a sign-in gives. Its page shows it on a GET,
 * and it is never sent again automatically. A browser keeps five forms for half an hour.
 */

import type { Context } from "fresh";
import { AppError } from "../../base/errors.ts";
import { getCookies, setCookie } from "../../http/cookies.ts";
import { saveDraft, takeDraft } from "../../people/form_drafts/service.ts";
import type { FormDraft } from "../../people/form_drafts/schema.ts";
import type { FormState } from "../forms/form.ts";
import { readTyped } from "../forms/read_form.ts";
import { withoutSecrets } from "../forms/units.ts";
import { DEVICE_COOKIE } from "../session_cookies.ts";
import type { State } from "../state.ts";

type PageContext = Pick<Context<State>, "req" | "url" | "state" | "config">;

/**
 * Maximum size in bytes of a form that is read. Only half of it is stored, but browsers encode a
 * line end as several bytes.
 */
const BYTES_MAX = 1024 * 1024;
/** Marks that this browser has a stored form, so that other browsers need no lookup. */
const COOKIE = "form_kept";
const COOKIE_SECONDS = 30 * 60;

/** Returns the path of this page without the application's base path. */
export const pageOf = ({ url, config }: Pick<PageContext, "url" | "config">): string =>
  (url.pathname.slice(config.basePath.length) || "/") + url.search;

const deviceOf = (req: Request) => getCookies(req.headers)[DEVICE_COOKIE];

/**
 * Stores a form that was sent after its session had ended, so that its page can show it again.
 * Returns whether it did.
 */
export async function saveSentForm(ctx: PageContext): Promise<boolean> {
  const { req, state: { deps } } = ctx;
  if (req.method !== "POST" || req.bodyUsed) return false;
  return await saveDraft(deps, deviceOf(req), pageOf(ctx), () => readSent(req));
}

/** Reads the part of the form that may be stored; null if no page would show it. */
async function readSent(req: Request): Promise<FormDraft | null> {
  try {
    const { values: { form_page, ...typed }, hadFile } = await readTyped(req, BYTES_MAX);
    return form_page ? { ...withoutSecrets(typed), hadFile, tooLong: false } : null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 413) return null;
    const hadFile = /^multipart\//i.test(req.headers.get("content-type") ?? "");
    return { values: {}, secrets: [], hadFile, tooLong: !hadFile };
  }
}

/** Makes the browser ask for its form after the next sign-in. */
export function rememberDraft(headers: Headers, { url, state: { deps: { config } } }: PageContext) {
  setCookie(headers, COOKIE, "1", {
    path: config.basePath || "/",
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: COOKIE_SECONDS,
  });
}

/**
 * Returns the values that were typed into this page's form before the session ended; usually null.
 */
export async function takeSentForm(ctx: PageContext): Promise<FormDraft | null> {
  const { req, state: { deps, actor } } = ctx;
  if (req.method !== "GET" || !actor || !(COOKIE in getCookies(req.headers))) return null;
  return await takeDraft(deps, actor.id, deviceOf(req), pageOf(ctx));
}

/** Returns the page's form as it was typed before the session ended; undefined if it did not. */
export function restoredForm({ kept }: Pick<State, "kept">): FormState | undefined {
  if (!kept) return undefined;
  const { values, ...restored } = kept;
  return { values, errors: {}, restored };
}
