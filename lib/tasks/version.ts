/**
 * The version of a template's next build: `startVersion` as it is the first time, then its last
 * group of digits counted up from the one given out before, leading zeros kept.
 * "1.4.8" after "1.4.9" -> "1.4.10"; "v2-rc" after "v7-rc" -> "v8-rc"; "r007" after "r009" -> "r010".
 * A start version of another shape, or beyond the last one, begins anew.
 */
export function nextVersion(startVersion: string, last: string | null): string {
  const start = split(startVersion);
  if (!start || last === null) return startVersion;
  const { prefix, digits, suffix } = start;
  if (!last.startsWith(prefix) || !last.endsWith(suffix)) return startVersion;
  const between = last.slice(prefix.length, last.length - suffix.length);
  if (!/^\d+$/.test(between)) return startVersion;
  const following = BigInt(between) + 1n;
  if (BigInt(digits) > following) return startVersion;
  const width = Math.max(digits.length, between.startsWith("0") ? between.length : 0);
  return prefix + String(following).padStart(width, "0") + suffix;
}

function split(version: string): { prefix: string; digits: string; suffix: string } | null {
  const match = /^(.*?)(\d+)(\D*)$/s.exec(version);
  return match && { prefix: match[1], digits: match[2], suffix: match[3] };
}
