/** How git reaches a repository. */
export const REPOSITORY_KINDS = ["ssh", "https", "file", "git", "local"] as const;
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number];

/** The kind of a repository's URL; null for a scheme that is not known. */
export function repositoryKind(url: string): RepositoryKind | null {
  if (url.startsWith("/")) return "local";
  const scheme = /^([^:/?#]*):\/\//.exec(url)?.[1].toLowerCase();
  if (scheme === undefined) return "ssh";
  return scheme === "local" ? null : REPOSITORY_KINDS.find((kind) => kind === scheme) ?? null;
}

/** `host:path` or `user@host:path`, as scp and git write it. No part may pass for an option. */
const SCP_LIKE =
  /^(?:[^@:/\s-][^@:/\s]*@)?(?:\[[\da-f:.]+\]|[^@:/\s[\]-][^@:/\s[\]]*):(?![:-]).+$/i;
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\x00-\x1f\x7f]/;
/** No kind of URL has blanks in it, and no folder that git is given. */
const BLANK_OR_CONTROL = new RegExp(`\\s|${CONTROL.source}`);

/** What is wrong with a repository's URL: a locale key, or null when git may be given it. */
export function repositoryUrlProblem(url: string): string | null {
  const incorrect = "errors.repositories.incorrect_url";
  const kind = repositoryKind(url);
  // "ext::sh -c …" makes git run a command; other "transport::" forms are no better.
  if (kind === null || BLANK_OR_CONTROL.test(url) || /^[\w+.-]*::/.test(url)) return incorrect;
  if (kind === "local") return null;
  if (!url.includes("://")) return SCP_LIKE.test(url) ? null : incorrect;
  const parsed = URL.parse(url);
  if (!parsed) return incorrect;
  if (kind === "file") {
    return parsed.host === "" && parsed.pathname.length > 1 ? null : incorrect;
  }
  const { hostname, username, password, pathname } = parsed;
  if (hostname === "" || /^-|%/.test(hostname) || username.startsWith("-")) return incorrect;
  if (pathname.length < 2) return incorrect;
  return password === "" ? null : "errors.repositories.password_in_url";
}

/** Whether git may be asked for this branch or tag. */
export const isBranchName = (name: string): boolean =>
  // deno-lint-ignore no-control-regex -- git refuses these in names, and so do we
  !/^[-/.]|[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|\.lock$/.test(name) && name !== "";

/** Whether a path inside a checkout stays there: relative, and never upwards. */
export const staysInside = (path: string): boolean =>
  path !== "" && !path.startsWith("/") && !CONTROL.test(path) && !path.split("/").includes("..");
