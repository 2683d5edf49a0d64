import { hasControl } from "../../base/control.ts";

/** How git reaches a repository. */
export const REPOSITORY_KINDS = ["ssh", "https", "file", "git", "local"] as const;
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number];

/** The kind of a repository's URL, http as https; null for a scheme that is not known. */
export function repositoryKind(url: string): RepositoryKind | null {
  if (url.startsWith("/")) return "local";
  const scheme = schemeOf(url);
  if (scheme === undefined) return "ssh";
  if (scheme === "http") return "https";
  return scheme === "local" ? null : REPOSITORY_KINDS.find((kind) => kind === scheme) ?? null;
}

const schemeOf = (url: string) => /^([^:/?#]*):\/\//.exec(url)?.[1].toLowerCase();

/** Whether what git fetches from there, and a password that it sends, can be read on the way. */
export const isPlainHttp = (url: string): boolean => schemeOf(url) === "http";

/** `git@host/path`: no scheme means ssh, but git itself would look for a folder of that name. */
const SSH_WITH_SLASH = /^[^@:/\s-][^@:/\s]*@[^@:/\s]+\//;

/** The address that git is given for a repository's URL: to git "FILE:" is no "file:". */
export const gitAddress = (url: string): string =>
  SSH_WITH_SLASH.test(url)
    ? `ssh://${url}`
    : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, (scheme) => scheme.toLowerCase());

/** `host:path` or `user@host:path`, as scp and git write it. No part may pass for an option. */
const SCP_LIKE =
  /^(?:[^@:/\s-][^@:/\s]*@)?(?:\[[\da-f:.]+\]|[^@:/\s[\]-][^@:/\s[\]]*):(?![:-]).+$/i;

/** What is wrong with a repository's URL: a locale key, or null when git may be given it. */
export function repositoryUrlProblem(url: string): string | null {
  const incorrect = "errors.repositories.incorrect_url";
  const kind = repositoryKind(url);
  // "ext::sh -c …" makes git run a command; other "transport::" forms are no better.
  if (kind === null || /^[\w+.-]*::/.test(url)) return incorrect;
  // No kind of URL has blanks in it, and no folder that git is given.
  if (/\s/.test(url) || hasControl(url)) return incorrect;
  if (kind === "local") return null;
  // Browsers' rules make slashes of them, git does not: where the host begins would be a matter of taste.
  if (url.includes("\\")) return incorrect;
  const address = gitAddress(url);
  if (!address.includes("://")) return SCP_LIKE.test(url) ? null : incorrect;
  const parsed = URL.parse(address);
  if (!parsed) return incorrect;
  if (kind === "file") {
    return parsed.host === "" && parsed.pathname.length > 1 ? null : incorrect;
  }
  const { hostname, username, password, pathname } = parsed;
  if (hostname === "" || /^-|%/.test(hostname) || username.startsWith("-")) return incorrect;
  if (pathname.length < 2) return incorrect;
  // Of http addresses login and password are kept apart; git:// has no use for any.
  if (/^https?:/i.test(url)) return null;
  const useless = kind === "git" ? username + password : password;
  return useless === "" ? null : "errors.repositories.password_in_url";
}

/** Whether git may be asked for this branch or tag. */
export const isBranchName = (name: string): boolean =>
  // Git refuses these in names, and so do we.
  !/^[-/.]|[ ~^:?*[\\]|\.\.|@\{|\/[/.]|[/.]$|\.lock(?:\/|$)/.test(name) && !hasControl(name) &&
  name !== "";

/** Whether a path inside a checkout stays there: relative, and never upwards. */
export const staysInside = (path: string): boolean =>
  path !== "" && !path.startsWith("/") && !hasControl(path) && !path.split("/").includes("..");
