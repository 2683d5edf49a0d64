import type { Client } from "../access/actor.ts";
import type { Config } from "../base/settings/config.ts";

/**
 * Returns the address that a request came from. Behind a trusted proxy, it is the address that the
 * proxy saw.
 */
export function clientAddress(
  { trustProxy }: Pick<Config, "trustProxy">,
  headers: Headers,
  remote: Deno.Addr,
): string {
  // Clients can also send this header. Only the last entry was added by the proxy.
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  if (trustProxy && forwarded) return forwarded.slice(0, 100);
  return "hostname" in remote ? remote.hostname : "local";
}

/** Returns the client of a request, as events keep it. */
export const requestClient = (
  config: Pick<Config, "trustProxy">,
  headers: Headers,
  remote: Deno.Addr,
): Client => ({
  address: clientAddress(config, headers, remote),
  user_agent: headers.get("user-agent") ?? "",
});
