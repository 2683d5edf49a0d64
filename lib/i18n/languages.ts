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

/** The first language of an Accept-Language header that is offered; English when there is none. */
export function preferredLanguage(
  acceptLanguage: string | null,
  offered: readonly Language[],
): Language {
  const isOffered = (id: string): id is Language => (offered as readonly string[]).includes(id);
  const wanted = (acceptLanguage ?? "").split(",")
    .map((part) => {
      const [tag, ...settings] = part.trim().toLowerCase().split(";");
      const quality = settings.map((text) => text.trim()).find((text) => text.startsWith("q="));
      const language: string = CHINESE[tag] ?? tag;
      return { tag: language, quality: quality ? Number(quality.slice(2)) : 1 };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const [base] = tag.split("-");
    if (isOffered(tag)) return tag;
    if (isOffered(base)) return base;
  }
  return "en";
}

/** Browsers name Chinese by script or region; we have one language for each script. */
const CHINESE: Partial<Record<string, Language>> = {
  zh: "zh-cn",
  "zh-hans": "zh-cn",
  "zh-sg": "zh-cn",
  "zh-hant": "zh-tw",
  "zh-hk": "zh-tw",
  "zh-mo": "zh-tw",
};
