import { hasControl } from "../../base/text/control.ts";

/** Ways in which git can reach a repository. */
export const REPOSITORY_KINDS = ["ssh", "https", "file", "git", "local"] as const;
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number];

/** Returns the kind of a repository's URL, http as https, or null for an unknown scheme. */
export function repositoryKind(url: string): RepositoryKind | null {
  if (url.startsWith("/")) return "local";
  const scheme = schemeOf(url);
  if (scheme === undefined) return "ssh";
  if (scheme === "http") return "https";
  return scheme === "local" ? null : REPOSITORY_KINDS.find((kind) => kind === scheme) ?? null;
}

const schemeOf = (url: string) => /^([^:/?#]*):\/\//.exec(url)?.[1].toLowerCase();

/** Whether others on the network can read what git fetches, and a password that it sends. */
export const isPlainHttp = (url: string): boolean => schemeOf(url) === "http";

/**
 * `git@host/path`. Without a scheme it means ssh, but git itself would look for a folder of that
 * name.
 */
const SSH_WITH_SLASH = /^[^@:/\s-][^@:/\s]*@[^@:/\s]+\//;

/** Returns the address for git of a repository's URL. Git does not accept "FILE:" for "file:". */
export const gitAddress = (url: string): string =>
  SSH_WITH_SLASH.test(url)
    ? `ssh://${url}`
    : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, (scheme) => scheme.toLowerCase());

/** `host:path` or `user@host:path`, as scp and git write it. No part may look like an option. */
const SCP_LIKE =
  /^(?:[^@:/\s-][^@:/\s]*@)?(?:\[[\da-f:.]+\]|[^@:/\s[\]-][^@:/\s[\]]*):(?![:-]).+$/i;

/** Returns the locale key of the error in a repository's URL, or null if git may be given it. */
export function repositoryUrlProblem(url: string): string | null {
  const incorrect = "errors.repositories.incorrect_url";
  const kind = repositoryKind(url);
  // "ext::sh -c …" makes git run a command, and other "transport::" forms are just as dangerous.
  if (kind === null || /^[\w+.-]*::/.test(url)) return incorrect;
  // No kind of URL contains blanks, and neither may a folder that git is given.
  if (/\s/.test(url) || hasControl(url)) return incorrect;
  if (kind === "local") return null;
  // Browsers turn them into slashes and git does not, so the two would disagree about the host.
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
  // Login and password of http addresses are stored separately, and git:// does not use any.
  if (/^https?:/i.test(url)) return null;
  const useless = kind === "git" ? username + password : password;
  return useless === "" ? null : "errors.repositories.password_in_url";
}

/** Whether git may be given this name of a branch or tag. */
export const isBranchName = (name: string): boolean =>
  // Git refuses these in names, and so does Callboard.
  !/^[-/.]|[ ~^:?*[\\]|\.\.|@\{|\/[/.]|[/.]$|\.lock(?:\/|$)/.test(name) && !hasControl(name) &&
  name !== "";

/** Whether a path inside a checkout stays there: relative, without steps upwards. */
export const staysInside = (path: string): boolean =>
  path !== "" && !path.startsWith("/") && !hasControl(path) && !path.split("/").includes("..");
