/** Returns the tag by which `Intl` knows a language. Plain "pt" would be Brazilian Portuguese. */
export const localeOf = (language: string): string => language === "pt" ? "pt-PT" : language;

const baseNames = new Map<string, string>();

/**
 * Returns the tag of an available language with the usual capitals: "pt-BR" for "pt-br". Cached,
 * because every page needs all of them.
 */
export function baseNameOf(tag: string): string {
  const baseName = baseNames.get(tag) ?? new Intl.Locale(tag).baseName;
  baseNames.set(tag, baseName);
  return baseName;
}
