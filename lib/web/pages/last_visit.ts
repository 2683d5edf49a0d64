import type { Config } from "../../base/config.ts";
import { getCookies, keepCookie } from "../../base/cookies.ts";
import { paths } from "../../base/paths.ts";

const COOKIE = "visit";

/** Who was away for so long comes anew: until then what was news at the last visit stays news. */
const AWAY_MS = 30 * 60_000;
/** What is news at the first visit. */
const FIRST_MS = 24 * 3_600_000;
/** A look within so long after another one needs no cookie of its own. */
const LOOK_MS = 60_000;

/** When this browser has looked at a project's dashboard; times in milliseconds. */
interface Visit {
  /** What happened since is news. */
  since: number;
  /** The last look. */
  at: number;
}

/** The visit that a look at `now` belongs to. */
export function visitAt(headers: Headers, now: Date): Visit {
  const at = now.getTime();
  const before = readVisit(headers);
  if (!before) return { since: at - FIRST_MS, at };
  const since = at - before.at > AWAY_MS ? before.at : before.since;
  // The clock may have been set back.
  return { since: Math.min(since, at), at };
}

function readVisit(headers: Headers): Visit | null {
  const [, since, at] = /^(\d{1,15})\.(\d{1,15})$/.exec(getCookies(headers)[COOKIE] ?? "") ?? [];
  return since ? { since: Number(since), at: Number(at) } : null;
}

/** Adds the cookie that remembers a visit of a project, unless it is known well enough. */
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
  keepCookie(answered, config, url, { name: COOKIE, value: `${since}.${at}`, path });
}
