import type { Context } from "fresh";
import { AppError } from "../../base/errors.ts";
import { getCookies, setCookie } from "../../base/cookies.ts";
import { keepForm, takeKeptForm } from "../../people/kept_forms/service.ts";
import type { KeptForm } from "../../people/kept_forms/schema.ts";
import type { FormState } from "../forms/form.ts";
import { readTyped } from "../forms/read_form.ts";
import { withoutSecrets } from "../forms/secret_fields.ts";
import { DEVICE_COOKIE } from "../session_cookies.ts";
import type { State } from "../state.ts";

type PageContext = Pick<Context<State>, "req" | "url" | "state" | "config">;

/** Bytes of a form that is read; kept is only half of it, but browsers write line ends as three. */
const BYTES_MAX = 1024 * 1024;
/** Says that this browser has a form to come back to, so that others need not be asked for one. */
const COOKIE = "form_kept";
const COOKIE_SECONDS = 30 * 60;

/** This page, without what all of ours begin with. */
export const pageOf = ({ url, config }: Pick<PageContext, "url" | "config">): string =>
  (url.pathname.slice(config.basePath.length) || "/") + url.search;

const deviceOf = (req: Request) => getCookies(req.headers)[DEVICE_COOKIE];

/**
 * Keeps a form that was sent after its session had ended, for its own page to show it again: answers
 * whether it did. Nothing is ever sent again by itself.
 */
export async function keepSentForm(ctx: PageContext): Promise<boolean> {
  const { req, state: { deps } } = ctx;
  if (req.method !== "POST" || req.bodyUsed) return false;
  return await keepForm(deps, deviceOf(req), pageOf(ctx), () => readSent(req));
}

/** What was sent, as far as it is kept; null for what no page shows. */
async function readSent(req: Request): Promise<KeptForm | null> {
  try {
    const { values: { form_page, ...typed }, hadFile } = await readTyped(req, BYTES_MAX);
    return form_page ? { ...withoutSecrets(typed), hadFile, tooLong: false } : null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 413) return null;
    const hadFile = /^multipart\//i.test(req.headers.get("content-type") ?? "");
    return { values: {}, secrets: [], hadFile, tooLong: !hadFile };
  }
}

/** Has the browser ask for its form once somebody has signed in. */
export function rememberKept(headers: Headers, { url, state: { deps: { config } } }: PageContext) {
  setCookie(headers, COOKIE, "1", {
    path: config.basePath || "/",
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: COOKIE_SECONDS,
  });
}

/** What was typed into this page's form before the session ended; null mostly. */
export async function takeSentForm(ctx: PageContext): Promise<KeptForm | null> {
  const { req, state: { deps, actor } } = ctx;
  if (req.method !== "GET" || !actor || !(COOKIE in getCookies(req.headers))) return null;
  return await takeKeptForm(deps, actor.id, deviceOf(req), pageOf(ctx));
}

/** The page's form as it was typed before the session ended, if it was. */
export function restoredForm({ kept }: Pick<State, "kept">): FormState | undefined {
  if (!kept) return undefined;
  const { values, ...restored } = kept;
  return { values, errors: {}, restored };
}
