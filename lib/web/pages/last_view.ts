import type { Config } from "../../base/config.ts";
import { getCookies, keepCookie } from "../../base/cookies.ts";
import { paths } from "../../base/paths.ts";

const COOKIE = "view";

/**
 * Returns the view of a project's templates that this browser showed last; null for all templates.
 */
export function lastView(headers: Headers): number | null {
  const text = getCookies(headers)[COOKIE] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Adds the cookie with the last view for the pages of the project, unless the browser has it. */
export function rememberView(
  asked: Headers,
  answered: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  { projectId, viewId }: { projectId: number; viewId: number | null },
): void {
  if (lastView(asked) === viewId) return;
  const path = paths.project(projectId);
  keepCookie(answered, config, url, { name: COOKIE, value: String(viewId ?? ""), path });
}
