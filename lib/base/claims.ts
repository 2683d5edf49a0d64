/**
 * Data about a person from a sign-in provider: the claims of a token, or the attributes of an
 * entry.
 */
export type Claims = Readonly<Record<string, unknown>>;

const VALUES_MAX = 2_000;

/**
 * Returns the texts at a path such as `groups` or `realm_access.roles`: a single text, the items of
 * a list, or the names of an object's members, because some providers send roles that way. A claim
 * whose own name contains dots, such as a URL, takes precedence over a path.
 */
export function textsAt(claims: Claims, path: string): string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : valueAt(claims, path.split("."));
  if (Array.isArray(found)) return found.slice(0, VALUES_MAX).flatMap(textOf);
  return isObject(found) ? Object.keys(found).slice(0, VALUES_MAX) : textOf(found);
}

function valueAt(claims: Claims, parts: string[]): unknown {
  let value: unknown = claims;
  for (const part of parts) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string[] =>
  typeof value === "string" ? [value] : typeof value === "number" ? [String(value)] : [];

/** Actions for a person who was verified by a provider and has no account on this server yet. */
export const NEW_ACCOUNTS = ["create", "ask", "refuse"] as const;
export type NewAccounts = (typeof NEW_ACCOUNTS)[number];
