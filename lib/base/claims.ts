/** What a sign-in provider says of a person: the claims of a token, or the attributes of an entry. */
export type Claims = Readonly<Record<string, unknown>>;

const VALUES_MAX = 2_000;

/**
 * The texts that claims have at a path such as `groups` or `realm_access.roles`: one, or those of a
 * list; of an object its names, as some providers say roles. A claim whose own name has dots in it,
 * such as an address, comes first.
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
