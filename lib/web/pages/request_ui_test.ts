import assert from "node:assert/strict";
import { type Language, LANGUAGES } from "../../i18n/languages.ts";
import { preferredLanguage } from "./request_ui.ts";

Deno.test("the language is the one that a browser likes best of those offered", () => {
  const offered = Object.keys(LANGUAGES) as Language[];
  const languages = {
    "": "en",
    "*": "en",
    "xx, tlh;q=0.9": "en",
    "fr-CH, fr;q=0.9, en;q=0.8": "fr",
    "en;q=0.5,de": "de",
    "de;q=0, es;q=0.1": "es",
    "pt-BR": "pt-br",
    "pt-PT, pt-BR;q=0.9": "pt",
    "zh-Hant-TW, zh-TW": "zh-tw",
    "zh-HK,en;q=0.1": "zh-tw",
    ";;,q=,de": "de",
  };
  for (const [header, language] of Object.entries(languages)) {
    assert.equal(preferredLanguage(header, offered), language, header);
  }
});
