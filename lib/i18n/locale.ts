/** Returns the tag by which `Intl` knows a language. Plain "pt" would be Brazilian Portuguese. */
export const localeOf = (language: string): string => language === "pt" ? "pt-PT" : language;
