import type { Config } from "../../base/settings/config.ts";
import { getCookies, keepCookie } from "../../http/cookies.ts";
import { paths } from "../../base/paths.ts";

const PROJECT_COOKIE = "project";

/** Returns the project that this browser showed last; 0 if there is none. */
export const lastProject = (headers: Headers): number =>
  Number(getCookies(headers)[PROJECT_COOKIE]) || 0;

/** Adds the cookie that leads this browser back to a project, unless it has it. */
export function rememberProject(
  asked: Headers,
  answered: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  projectId: number,
): void {
  if (lastProject(asked) === projectId) return;
  keepCookie(answered, config, url, { name: PROJECT_COOKIE, value: String(projectId) });
}

const VIEW_COOKIE = "view";

/**
 * Returns the view of a project's templates that this browser showed last; null for all templates.
 */
export function lastView(headers: Headers): number | null {
  const text = getCookies(headers)[VIEW_COOKIE] ?? "";
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
  keepCookie(answered, config, url, { name: VIEW_COOKIE, value: String(viewId ?? ""), path });
}

const VISIT_COOKIE = "visit";

/** A new visit starts after this much time away. Until then, news of the last visit stay news. */
const AWAY_MS = 30 * 60_000;
/** Age of news at the first visit. */
const FIRST_MS = 24 * 3_600_000;
/** Two views of the page within this time need only one cookie. */
const LOOK_MS = 60_000;

/** Times at which this browser viewed a project's dashboard, in milliseconds. */
interface Visit {
  /** Start of the news: later events are new. */
  since: number;
  /** Time of the last view. */
  at: number;
}

/** Returns the visit that a view at `now` belongs to. */
export function visitAt(headers: Headers, now: Date): Visit {
  const at = now.getTime();
  const before = readVisit(headers);
  if (!before) return { since: at - FIRST_MS, at };
  const since = at - before.at > AWAY_MS ? before.at : before.since;
  // The clock may have been set back.
  return { since: Math.min(since, at), at };
}

function readVisit(headers: Headers): Visit | null {
  const [, since, at] = /^(\d{1,15})\.(\d{1,15})$/.exec(getCookies(headers)[VISIT_COOKIE] ?? "") ??
    [];
  return since ? { since: Number(since), at: Number(at) } : null;
}

/** Adds the cookie that remembers a visit to a project, unless the stored one is recent enough. */
export function rememberVisit(
  asked: Headers,
  answered: Headers,
  config: Pick<Config, "basePath" | "url">,
  url: URL,
  { projectId, since, at }: Visit & { projectId: number },
): void {
  const before = readVisit(asked);
  if (before?.since === since && Math.abs(at - before.at) < LOOK_MS) return;
  const path = paths.project(projectId);
  keepCookie(answered, config, url, { name: VISIT_COOKIE, value: `${since}.${at}`, path });
}
