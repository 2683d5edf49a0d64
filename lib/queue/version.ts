/**
 * Returns the version of a template's next build. The first one is `startVersion`. Later ones
 * increment the last group of digits of the previous version and preserve leading zeros.
 * "1.4.8" after "1.4.9" -> "1.4.10"; "v2-rc" after "v7-rc" -> "v8-rc"; "r007" after "r009" ->
 * "r010".
 * A start version of another shape, or beyond the previous version, begins anew.
 */
export function nextVersion(startVersion: string, last: string | null): string {
  const start = split(startVersion);
  const between = start && last !== null ? countedIn(start, last) : null;
  if (!start || between === null) return startVersion;
  const { prefix, digits, suffix } = start;
  const following = BigInt(between) + 1n;
  if (BigInt(digits) > following) return startVersion;
  const width = Math.max(digits.length, between.startsWith("0") ? between.length : 0);
  return prefix + String(following).padStart(width, "0") + suffix;
}

/** Whether a version of `startVersion`'s shape comes after `last`, the previously assigned one. */
export function isLaterVersion(
  startVersion: string,
  version: string,
  last: string | null,
): boolean {
  const start = split(startVersion);
  const counted = start && countedIn(start, version);
  if (!counted) return false;
  const before = last && countedIn(start, last);
  return !before || BigInt(counted) > BigInt(before);
}

/** Returns the digits of a version that are incremented; null if it has another shape. */
function countedIn({ prefix, suffix }: Parts, version: string): string | null {
  if (!version.startsWith(prefix) || !version.endsWith(suffix)) return null;
  const between = version.slice(prefix.length, version.length - suffix.length);
  return /^\d+$/.test(between) ? between : null;
}

interface Parts {
  prefix: string;
  digits: string;
  suffix: string;
}

function split(version: string): Parts | null {
  const match = /^(.*?)(\d+)(\D*)$/s.exec(version);
  return match && { prefix: match[1], digits: match[2], suffix: match[3] };
}
