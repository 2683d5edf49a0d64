import dns from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

const resolveName: Resolve = (hostname) => dns.promises.lookup(hostname, { all: true });

/** A host has an address that a request may not reach. */
export class ForbiddenAddress extends Error {
  override name = "ForbiddenAddress";
}

/** Throws for a host that is an address and that a request may not reach. */
export function requireAllowedHost(url: URL, mayReach: (address: string) => boolean): void {
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(literal) && !mayReach(literal)) throw new ForbiddenAddress();
}

/**
 * Returns a function that resolves the host of a request and checks each of its addresses. The
 * connection goes to a checked one, so that a name cannot resolve to something else in between.
 */
export const checkedLookup =
  (mayReach: (address: string) => boolean, resolve: Resolve = resolveName): LookupFunction =>
  (hostname, options, callback) => {
    const answer = async () => {
      const found = await resolve(hostname);
      if (found.length === 0 || !found.every(({ address }) => mayReach(address))) {
        throw new ForbiddenAddress();
      }
      return found;
    };
    answer().then(
      (found) =>
        options.all ? callback(null, found) : callback(null, found[0].address, found[0].family),
      (error) => callback(error, ""),
    );
  };
