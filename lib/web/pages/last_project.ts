import type { Config } from "../../base/config.ts";
import { getCookies, keepCookie } from "../../base/cookies.ts";

const COOKIE = "project";

/** Returns the project that this browser showed last; 0 if there is none. */
export const lastProject = (headers: Headers): number => Number(getCookies(headers)[COOKIE]) || 0;

/** Adds the cookie that leads this browser back to a project, unless it has it. */
export function rememberProject(
  asked: Headers,
  answered: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  projectId: number,
): void {
  if (lastProject(asked) === projectId) return;
  keepCookie(answered, config, url, { name: COOKIE, value: String(projectId) });
}
