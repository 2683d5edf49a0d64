/** Removes secrets from a text. Texts are cut afterwards, because a cut secret is not found. */
export const scrub = (text: string, secrets: readonly string[]): string =>
  secrets.flatMap(partsOf).reduce((text, part) => text.replaceAll(part, "…"), text);

/** Returns a secret and its parts, because servers repeat a path or a token alone. */
function partsOf(secret: string): string[] {
  const url = URL.parse(secret);
  const parts = url ? [url.href, url.pathname + url.search, url.pathname] : secret.split(" ");
  return [secret, ...parts.filter((part) => part.length > 1)].filter((part) => part !== "");
}
