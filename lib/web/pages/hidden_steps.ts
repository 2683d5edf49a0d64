import type { Config } from "../../base/settings/config.ts";
import { getCookies, keepCookie } from "../../http/cookies.ts";
import { paths } from "../../base/paths.ts";

const COOKIE = "first_steps";
const HIDDEN = "hidden";

/** Whether this browser hides the first steps of the requested project. */
export const areStepsHidden = (headers: Headers): boolean => getCookies(headers)[COOKIE] === HIDDEN;

/** Adds the cookie that hides them, for the pages of this project only. */
export function hideSteps(
  answered: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  projectId: number,
): void {
  keepCookie(answered, config, url, {
    name: COOKIE,
    value: HIDDEN,
    path: paths.project(projectId),
  });
}
