import { gitAddress } from "./url.ts";

/** Paths of a commit and of a file at a commit, below a repository's page. */
interface WebPaths {
  commit(hash: string): string;
  file(hash: string, path: string): string;
}

const GITHUB: WebPaths = {
  commit: (hash) => `/commit/${hash}`,
  file: (hash, path) => `/blob/${hash}/${path}`,
};
const GITLAB: WebPaths = {
  commit: (hash) => `/-/commit/${hash}`,
  file: (hash, path) => `/-/blob/${hash}/${path}`,
};
const GITEA: WebPaths = {
  commit: (hash) => `/commit/${hash}`,
  file: (hash, path) => `/src/commit/${hash}/${path}`,
};
const BITBUCKET: WebPaths = {
  commit: (hash) => `/commits/${hash}`,
  file: (hash, path) => `/src/${hash}/${path}`,
};

/** Software of a host by a part of its name. Other hosts may have no pages, or other ones. */
const HOSTS: [name: RegExp, paths: WebPaths][] = [
  [/(?:^|\.)github\./, GITHUB],
  [/(?:^|\.)gitlab\./, GITLAB],
  [/(?:^|\.)(?:gitea|forgejo|codeberg)\./, GITEA],
  [/^bitbucket\.org$/, BITBUCKET],
];

/** `git@host:path`, as scp and git write it. */
const SCP_LIKE = /^(?:[^@:/]+@)?([^@:/[\]]+):(?!\/\/)(.+)$/;

/**
 * Returns the addresses of a commit and of a file at it on the web, without logins and ports of
 * ssh; null if the name of the host does not say what they look like.
 */
export function webAddress(
  gitUrl: string,
  hash: string,
  path: string,
): { commit: string; file: string } | null {
  const scp = SCP_LIKE.exec(gitUrl);
  const url = URL.parse(scp ? `ssh://${scp[1]}/${scp[2]}` : gitAddress(gitUrl));
  if (!url || !["https:", "http:", "ssh:"].includes(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  const paths = HOSTS.find(([name]) => name.test(host))?.[1];
  if (!paths) return null;
  const origin = url.protocol === "ssh:" ? `https://${host}` : `${url.protocol}//${url.host}`;
  const page = origin + url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\.git$/, "");
  const file = path.split("/").map(encodeURIComponent).join("/");
  return { commit: page + paths.commit(hash), file: page + paths.file(hash, file) };
}
