import * as z from "zod";
import type { Config } from "../../base/settings/config.ts";
import type { Sentence } from "../../base/errors.ts";
import { getCookies, setCookie } from "../../http/cookies.ts";

/** A message about the last action, shown once on the next page. */
interface Flash extends Sentence {
  kind: "success" | "danger";
}

const COOKIE = "flash";
/** Long enough for the redirect. A message that is never shown expires. */
const AGE_SECONDS = 60;
const TEXT_MAX = 200;

/** A cookie may come from anywhere, so it can only select one of the existing messages. */
const flashSchema = z.object({
  kind: z.enum(["success", "danger"]),
  key: z.string().regex(/^(flash|errors)\.[a-z_.]{1,80}$/),
  params: z.record(z.string().max(40), z.union([z.string().max(TEXT_MAX), z.number()])).optional(),
});

type CookieConfig = Pick<Config, "basePath" | "url">;

/** Adds the cookie that carries `flash` to the next page. */
export function setFlash(headers: Headers, config: CookieConfig, url: URL, flash: Flash): void {
  const params = Object.entries(flash.params ?? {}).map(([name, value]) =>
    [name, typeof value === "string" ? value.slice(0, TEXT_MAX) : value] as const
  );
  const text = JSON.stringify({ ...flash, params: Object.fromEntries(params) });
  write(headers, config, url, text, AGE_SECONDS);
}

/** Deletes the flash cookie once a page has shown it. */
export const clearFlash = (headers: Headers, config: CookieConfig, url: URL): void =>
  write(headers, config, url, "", 0);

/** Returns the flash message of a request, or null. */
export function readFlash(headers: Headers): Flash | null {
  const text = getCookies(headers)[COOKIE];
  if (!text) return null;
  try {
    return flashSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether a request has a flash cookie, even one that cannot be read. */
export const hasFlash = (headers: Headers): boolean => COOKIE in getCookies(headers);

function write(headers: Headers, config: CookieConfig, url: URL, value: string, age: number) {
  setCookie(headers, COOKIE, value, {
    path: config.basePath || "/",
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: age,
  });
}
