import ipaddr from "ipaddr.js";

/**
 * Returns the network of one client: its IPv4 address, or the first 64 bits of its IPv6 address.
 */
export function networkOf(address: string): string {
  // A trusted proxy may identify its clients by something other than an IP address.
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return parsed.toString();
  return parsed.parts.slice(0, 4).map((part) => part.toString(16)).join(":");
}

/** A network as `ipaddr.js` takes it: an address, and the number of its leading bits. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Returns the network of a text like `10.1.0.0/16`, or of a single address; null for others. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128] as Network;
}

/** Whether an address belongs to one of the networks. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = ipaddr.process(text);
  return networks.some((network) =>
    address.kind() === network[0].kind() && address.match(network as [ipaddr.IPv4, number])
  );
}

/**
 * Whether an address is one of the internet, and not of this machine or its own network. An IPv6
 * address that stands for an IPv4 address (RFC 6052) is judged by that one.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.range() !== "rfc6052") return address.range() === "unicast" && isGlobal(address);
  const last = address.toByteArray().slice(-4);
  return ipaddr.fromByteArray(last).range() === "unicast";
}

/** The only IPv6 addresses of the internet (RFC 4291, section 2.4, and IANA's registry). */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  !("parts" in address) || address.match(GLOBAL);

/**
 * Whether a typed address names a host outside of the internet and of `networks`, as far as that
 * can be said without a look-up: an address, or a name for this machine (RFC 6761, section 6.3).
 */
export function isTypedPrivate(typed: string, networks: readonly Network[]): boolean {
  const host = URL.parse(typed.trim())?.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "") ?? "";
  const address = /^(.+\.)?localhost$/.test(host) ? "127.0.0.1" : host;
  if (!ipaddr.isValid(address)) return false;
  return !isPublicAddress(address) && !isInNetworks(address, networks);
}
