import ipaddr from "ipaddr.js";
import type { Config } from "../../base/settings/config.ts";

/** The server as passkeys know it. They belong to its name, and report the origin that asked. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the server as passkeys know it. Null where browsers have no passkeys: for IP addresses,
 * over plain HTTP, and if the server's name is not configured. The host of a request is trusted
 * only if it is localhost.
 */
export function relyingParty(
  { url: publicUrl }: Pick<Config, "url">,
  url: URL,
): RelyingParty | null {
  const { protocol, hostname, origin } = publicUrl ?? url;
  if (hostname === "localhost") return { id: hostname, origin };
  const isName = !ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""));
  return publicUrl && protocol === "https:" && isName ? { id: hostname, origin } : null;
}
