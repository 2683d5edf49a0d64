import assert from "node:assert/strict";
import { negotiated, regionalLocale } from "./negotiate.ts";

const OFFERED = ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "pt-br", "ru", "zh-cn", "zh-tw"];

Deno.test("the language is the offered one that the browser prefers", () => {
  const languages = {
    "": "en",
    "*": "en",
    "*, de;q=0.5": "en",
    "xx, tlh;q=0.9": "en",
    "fr-CH, fr;q=0.9, en;q=0.8": "fr",
    "FR-ca": "fr",
    "en-GB;q=0.5,de-AT": "de",
    "de;q=0, es;q=0.1": "es",
    "es-419": "es",
    "ru-Cyrl-RU": "ru",
    "pt": "pt",
    "pt-AO": "pt",
    "pt-PT, pt-BR;q=0.9": "pt",
    "pt-BR": "pt-br",
    "pt-Latn-BR": "pt-br",
    ";;,q=,de": "de",
    "e, de_DE, it": "it",
  };
  for (const [header, language] of Object.entries(languages)) {
    assert.equal(negotiated(header, OFFERED), language, header);
  }
});

Deno.test("Chinese has the requested script, or the one of its region", () => {
  const simplified = ["zh", "zh-CN", "zh-SG", "zh-Hans", "zh-Hans-HK", "zh-MY"];
  const traditional = ["zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-HK", "zh-Hant-CN"];
  for (const tag of simplified) assert.equal(negotiated(`${tag},en;q=0.1`, OFFERED), "zh-cn", tag);
  for (const tag of traditional) assert.equal(negotiated(`${tag},en;q=0.1`, OFFERED), "zh-tw", tag);
});

Deno.test("a language without a file is skipped", () => {
  assert.equal(negotiated("pt-BR, pl;q=0.5", ["en", "pt", "pl"]), "pt");
  assert.equal(negotiated("zh-TW, pl;q=0.5", ["en", "zh-cn", "pl"]), "pl");
  assert.equal(negotiated("pt, pl;q=0.5", ["en", "pt-br", "pl"]), "pl");
});

Deno.test("English dates follow the reader's region, and other languages have one format", () => {
  const locales: [header: string, language: string, locale: string][] = [
    ["en-GB,en;q=0.9", "en", "en-GB"],
    ["de, en-au;q=0.5", "en", "en-AU"],
    ["en-US", "en", "en-US"],
    ["en, fr", "en", "en"],
    ["", "en", "en"],
    ["en-", "en", "en"],
    ["en-GB", "de", "de"],
    ["pt", "pt", "pt-PT"],
  ];
  for (const [header, language, locale] of locales) {
    assert.equal(regionalLocale(header, language), locale, `${header} (${language})`);
  }
});
