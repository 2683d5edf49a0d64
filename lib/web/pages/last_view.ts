import type { Config } from "../../base/config.ts";
import { getCookies, keepCookie } from "../../base/cookies.ts";
import { paths } from "../../base/paths.ts";

const COOKIE = "view";

/** The view of a project's templates that this browser showed last; null for all of them. */
export function lastView(headers: Headers): number | null {
  const text = getCookies(headers)[COOKIE] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Adds the cookie that tells the project's pages which view it was, unless they have it. */
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
