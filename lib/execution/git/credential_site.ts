import { hasControl } from "../../base/text/control.ts";
import type { CredentialSite } from "../run/plan.ts";
import { gitAddress } from "./url.ts";

/** Kinds of sites that a credential is for: an SSH host, or an address or the beginning of one. */
export const CREDENTIAL_TYPES = ["host", "url"] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

const PORTS = { https: "443", http: "80", ssh: "22" };
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|[\da-f]*:[\da-f:.]+)$/;
const SCP_LIKE = /^(?:([^@:/\s-][^@:/\s]*)@)?(\[[\da-f:.]+\]|[^@:/\s[\]-][^@:/\s[\]]*):(.*)$/i;

/** Returns the site that a host or an address names, or null if it names none. */
export function credentialSite(type: CredentialType, text: string): CredentialSite | null {
  if (/[\s\\?#]/.test(text) || hasControl(text)) return null;
  if (type === "host") return site("ssh", text, "*", "", "");
  const address = gitAddress(text);
  if (!address.includes("://")) {
    const [whole, user = "", host = "", path = ""] = SCP_LIKE.exec(address) ?? [];
    return whole === undefined ? null : site("ssh", host, PORTS.ssh, user, path);
  }
  const url = URL.parse(address);
  const scheme = url?.protocol.slice(0, -1);
  if (!url || (scheme !== "https" && scheme !== "http" && scheme !== "ssh")) return null;
  if (url.password !== "" || (scheme !== "ssh" && url.username !== "")) return null;
  const [user, path] = [decoded(url.username), decoded(url.pathname)];
  if (user === null || path === null) return null;
  return site(scheme, url.hostname, url.port || PORTS[scheme], user, path);
}

function site(
  scheme: CredentialSite["scheme"],
  host: string,
  port: string,
  user: string,
  path: string,
): CredentialSite | null {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const inside = path.replace(/^\/+|(?<!\/)\/+$/g, "").replace(/\.git$/, "");
  if (!HOST.test(name) || /\s/.test(user + inside) || hasControl(user + inside)) return null;
  if (inside.split("/").some((part) => part === "." || part === "..")) return null;
  return { scheme, host: name, port, user, path: inside };
}

/** Decodes percent escapes as git does, or returns null for invalid ones. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Compares sites so that the narrowest comes first. */
export const byNarrowness = (one: CredentialSite, other: CredentialSite): number =>
  other.path.length - one.path.length || weight(other) - weight(one);

const weight = ({ port, user }: CredentialSite) => Number(port !== "*") + Number(user !== "");
