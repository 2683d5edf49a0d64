/** What one visitor holds: an IPv4 address, but the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(":")) return address;
  const [left, right] = address.toLowerCase().split("%")[0].split("::");
  const parts = left === "" ? [] : left.split(":");
  const tail = right ? right.split(":") : [];
  while (right !== undefined && parts.length + tail.length < 8) parts.push("0");
  return [...parts, ...tail].slice(0, 4).join(":");
}
