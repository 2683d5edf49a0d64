import type { Config } from "../base/config.ts";

/** The address a request came from; behind a trusted proxy the one that the proxy saw. */
export function clientAddress(
  { trustProxy }: Pick<Config, "trustProxy">,
  headers: Headers,
  remote: Deno.Addr,
): string {
  // Whoever asks may send this header too: only the last entry is the proxy's own.
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  if (trustProxy && forwarded) return forwarded.slice(0, 100);
  return "hostname" in remote ? remote.hostname : "local";
}
