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
