/** The languages of the interface, by the ids that the language menu stores. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
  "pt-br": "Português do Brasil",
  ru: "Русский",
  "zh-cn": "简体中文",
  "zh-tw": "繁體中文",
} as const;
export type Language = keyof typeof LANGUAGES;
