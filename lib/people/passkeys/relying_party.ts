import ipaddr from "ipaddr.js";
import type { Config } from "../../base/config.ts";

/** The server as passkeys know it: they are of a name, and say from which pages they were asked. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Null where browsers have no passkeys: for addresses that are no names, over plain http, and where
 * nobody has told the server its name. What a request says is believed on the same machine only.
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
