/**
 * Returns the number that a text in a header or an address says. Null unless it is plain digits:
 * `Number` also takes `1e0`, `0x1`, `+1`, `1.0`, a space and nothing at all.
 */
export function plainNumber(text: string | null | undefined): number | null {
  if (!/^\d{1,16}$/.test(text ?? "")) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

/** The same for a schema of a number, which then refuses any other text. */
export const asPlainNumber = (text: unknown): unknown =>
  typeof text === "string" ? plainNumber(text) ?? NaN : text;
