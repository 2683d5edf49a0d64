import ipaddr from "ipaddr.js";

/** What one visitor holds: an IPv4 address, but the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  // A proxy that is trusted may still name its clients otherwise.
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return parsed.toString();
  return parsed.parts.slice(0, 4).map((part) => part.toString(16)).join(":");
}
