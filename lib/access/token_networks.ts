import ipaddr from "ipaddr.js";
import { AppError } from "../base/errors.ts";
import { isInNetworks, type Network, parseNetwork } from "../base/network.ts";
import type { TokenLimits } from "../model/token_limits.ts";

/**
 * Returns a network or an address in the one form in which it is stored; null for other texts.
 * IPv6 addresses that stand for IPv4 ones become these, as those of clients do.
 */
export function canonicalNetwork(text: string): string | null {
  const network = strictNetwork(text.trim());
  if (!network) return null;
  const [address, bits] = network;
  const first = startOf(address, bits);
  return bits === first.toByteArray().length * 8 ? first.toString() : `${first}/${bits}`;
}

/** Whether all addresses of a network are in one of the others. Both are canonical. */
export const isInsideNetworks = (network: string, others: readonly string[]): boolean => {
  const [address, bits] = strictNetwork(network)!;
  return others.map((other) => strictNetwork(other)!).some((other) =>
    other[1] <= bits && isInNetworks(address.toString(), [other])
  );
};

/** Throws 403 unless a token with these limits may be used from the address. */
export function requireNetwork({ networks }: TokenLimits, address: string): void {
  if (networks === null) return;
  // Proxies and unix sockets may name their clients by something other than an address.
  const isAddress = ipaddr.isValid(address);
  if (isAddress && isInNetworks(address, networks.map((text) => strictNetwork(text)!))) {
    return;
  }
  throw new AppError(403, "errors.token_network", { address });
}

/** Returns the network of a text with all parts of its address, which is none of 4 in 6. */
function strictNetwork(text: string): Network | null {
  const [address, bits] = text.split("/");
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) return null;
  if (address.includes("%") || bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const network = parseNetwork(text);
  if (!network || network[0].kind() === "ipv4") return network;
  const [six, length] = network as [ipaddr.IPv6, number];
  if (!six.isIPv4MappedAddress() || length < 96) return network;
  return [six.toIPv4Address(), length - 96] as Network;
}

/** Returns the first address of a network. */
function startOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray().map((byte, n) => {
    const kept = Math.max(0, Math.min(8, bits - n * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}
