import { gitAddress } from "./url.ts";
import { withUserinfo } from "./userinfo.ts";
import { runError } from "../run/context.ts";

/** A repository's address, taken apart: what is secret in it is apart from what git is told. */
export interface RepositoryUrl {
  kind: "local" | "http" | "ssh" | "git" | "file";
  /** For git's arguments; of an http address without login and password. */
  url: string;
  /** Scheme, host and port of an http address, "" for others. */
  origin: string;
  host: string;
  login: string;
  password: string;
}

const SCHEMES: Record<string, RepositoryUrl["kind"]> = {
  http: "http",
  https: "http",
  ssh: "ssh",
  git: "git",
  file: "file",
};

/** Throws for an address of an unknown kind, and for one that git could take for an option. */
export function parseRepositoryUrl(text: string): RepositoryUrl {
  const url = gitAddress(text.trim());
  // deno-lint-ignore no-control-regex
  if (url === "" || url.startsWith("-") || /[\x00-\x20\x7f]/.test(url)) {
    throw runError("errors.run.repository_url", { url });
  }
  if (url.startsWith("/")) return plain("local", url);
  const scheme = url.match(/^([a-z][a-z0-9+.-]*):\/\//i)?.[1]?.toLowerCase();
  if (scheme === undefined) return parseShortSsh(url);
  const kind = SCHEMES[scheme];
  if (kind === undefined) throw runError("errors.run.repository_url", { url });
  return kind === "file" ? plain(kind, url) : parseFull(kind, url);
}

const plain = (kind: RepositoryUrl["kind"], url: string): RepositoryUrl => ({
  kind,
  url,
  origin: "",
  host: "",
  login: "",
  password: "",
});

/** `[login@]host:path` */
function parseShortSsh(url: string): RepositoryUrl {
  const parts = url.match(/^(?:([^@/:]+)@)?(\[[^\]]+\]|[^@/:]+):(?!:)(.+)$/);
  if (!parts || parts[2]!.startsWith("-")) throw runError("errors.run.repository_url", { url });
  return { ...plain("ssh", url), host: parts[2]!, login: parts[1] ?? "" };
}

function parseFull(kind: RepositoryUrl["kind"], text: string): RepositoryUrl {
  const url = URL.parse(text);
  if (!url || url.hostname === "" || url.hostname.startsWith("-")) {
    throw runError("errors.run.repository_url", { url: withUserinfo(text, null) });
  }
  const [login, password] = [decode(url.username), decode(url.password)];
  url.password = "";
  // ssh needs the login in the address; for http both go to git by the askpass script.
  if (kind === "http") url.username = "";
  const origin = kind === "http" ? `${url.protocol}//${url.host}` : "";
  return { kind, url: url.href, origin, host: url.host, login, password };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
