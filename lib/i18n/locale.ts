/** The tag by which `Intl` knows a language: plain Portuguese is Brazil's there. */
export const localeOf = (language: string): string => language === "pt" ? "pt-PT" : language;
