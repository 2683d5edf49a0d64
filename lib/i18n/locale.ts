/** The tag by which `Intl` knows a language. Plain "pt" would be the Portuguese of Brazil. */
export const localeOf = (language: string): string => language === "pt" ? "pt-PT" : language;
