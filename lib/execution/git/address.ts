import { conceal, reveal, type Secret, secretsIn } from "../../base/secret.ts";
import { runError } from "../run/context.ts";
import type { RepositoryAddress } from "../run/plan.ts";
import { gitAddress } from "./url.ts";
import { userinfoOf } from "./userinfo.ts";

const SCHEMES: Record<string, RepositoryAddress["kind"]> = {
  http: "http",
  https: "http",
  ssh: "ssh",
  git: "git",
  file: "file",
};

/** Passwords that git hosts document for use with a token in place of the login. */
const NO_PASSWORDS = ["", "x-oauth-basic"];

/**
 * Parses a repository's URL. A login without a password is a secret token, unless the key itself is
 * a login with a password. Throws for an address of an unknown kind, and for one that git could
 * take for an option.
 */
export function parseAddress(secret: Secret, keyType: string): RepositoryAddress {
  const url = gitAddress(reveal(secret, "parse").trim());
  // deno-lint-ignore no-control-regex
  if (url === "" || url.startsWith("-") || /[\x00-\x20\x7f]/.test(url)) {
    throw badUrl(url);
  }
  if (url.startsWith("/")) return plain("local", url);
  const scheme = url.match(/^([a-z][a-z0-9+.-]*):\/\//i)?.[1]?.toLowerCase();
  if (scheme === undefined) return parseShortSsh(url);
  const kind = SCHEMES[scheme];
  if (kind === undefined) throw badUrl(url);
  return kind === "file" ? plain(kind, url) : parseFull(kind, url, keyType);
}

/** Names the URL without login and password, which a URL of any scheme may contain. */
const badUrl = (url: string) =>
  runError("errors.run.repository_url", { url: url.replace(/\/\/[^/?#]*@/, "//") });

/** Returns the secret parts of a repository's URL. */
export const secretsOfUrl = (url: string, keyType: string): string[] =>
  userinfoOf(url.trim()) === null
    ? []
    : secretsIn(parseAddress(conceal(url), keyType)).map((part) => reveal(part, "mask"));

const plain = (kind: RepositoryAddress["kind"], url: string): RepositoryAddress => ({
  kind,
  url,
  origin: "",
  host: "",
  login: "",
  password: null,
  userinfo: null,
});

/** `[login@]host:path` */
function parseShortSsh(url: string): RepositoryAddress {
  const parts = url.match(/^(?:([^@/:]+)@)?(\[[^\]]+\]|[^@/:]+):(?!:)(.+)$/);
  if (!parts || parts[2]!.startsWith("-")) throw badUrl(url);
  return { ...plain("ssh", url), host: parts[2]!, login: parts[1] ?? "" };
}

function parseFull(
  kind: RepositoryAddress["kind"],
  text: string,
  keyType: string,
): RepositoryAddress {
  const url = URL.parse(text);
  if (!url || url.hostname === "" || url.hostname.startsWith("-")) {
    throw badUrl(text);
  }
  const [login, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  const userinfo = userinfoOf(text);
  const isToken = userinfo !== null && login !== "" && NO_PASSWORDS.includes(password) &&
    keyType !== "login_password";
  url.password = "";
  // ssh needs the login in the address. For http, git gets both from the askpass script.
  if (kind === "http") url.username = "";
  return {
    kind,
    url: url.href,
    origin: kind === "http" ? `${url.protocol}//${url.host}` : "",
    host: url.host,
    login: isToken ? conceal(login) : login,
    password: password === "" ? null : conceal(password),
    userinfo: isToken ? conceal(userinfo) : null,
  };
}

/** Decodes percent escapes. A text with invalid ones stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
