import { z } from "zod";
import type { Config } from "../../base/config.ts";
import type { Sentence } from "../../base/errors.ts";
import { getCookies, setCookie } from "../../base/cookies.ts";

/** A sentence about what was just done, shown once on the next page. */
interface Flash extends Sentence {
  kind: "success" | "danger";
}

const COOKIE = "flash";
/** Long enough for the redirect; one that is never shown is forgotten. */
const AGE_SECONDS = 60;
const TEXT_MAX = 200;

/** A cookie may come from anywhere: it can only choose among our sentences. */
const flashSchema = z.object({
  kind: z.enum(["success", "danger"]),
  key: z.string().regex(/^(flash|errors)\.[a-z_.]{1,80}$/),
  params: z.record(z.string().max(40), z.union([z.string().max(TEXT_MAX), z.number()])).optional(),
});

type CookieConfig = Pick<Config, "basePath" | "url">;

/** Adds the cookie that brings `flash` to the next page. */
export function setFlash(headers: Headers, config: CookieConfig, url: URL, flash: Flash): void {
  const params = Object.entries(flash.params ?? {}).map(([name, value]) =>
    [name, typeof value === "string" ? value.slice(0, TEXT_MAX) : value] as const
  );
  const text = JSON.stringify({ ...flash, params: Object.fromEntries(params) });
  write(headers, config, url, text, AGE_SECONDS);
}

/** Forgets the flash once a page has shown it. */
export const clearFlash = (headers: Headers, config: CookieConfig, url: URL): void =>
  write(headers, config, url, "", 0);

/** The flash that a request brings, or null. */
export function readFlash(headers: Headers): Flash | null {
  const text = getCookies(headers)[COOKIE];
  if (!text) return null;
  try {
    return flashSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether a request has a flash cookie, readable or not. */
export const hasFlash = (headers: Headers): boolean => COOKIE in getCookies(headers);

function write(headers: Headers, config: CookieConfig, url: URL, value: string, age: number) {
  setCookie(headers, COOKIE, value, {
    path: config.basePath || "/",
    secure: (config.url ?? url).protocol === "https:",
    maxAgeSeconds: age,
  });
}
