import assert from "node:assert/strict";
import { durationText, formatsOf, numberText, relativeTime } from "./formats.ts";
import { localeOf } from "./locale.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const formats = (language: string) => formatsOf(localeOf(language), "UTC");
const since = (language: string, iso: string) => relativeTime(formats(language), iso, NOW);

Deno.test("relative times are short, and their units are unambiguous", () => {
  const times: Record<string, [minutes: string, hours: string, months: string]> = {
    en: ["3m ago", "3h ago", "3 months ago"],
    de: ["vor 3 Min.", "vor 3 Std.", "vor 3 Monaten"],
    es: ["hace 3 min", "hace 3 h", "hace 3 meses"],
    fr: ["il y a 3 min", "il y a 3 h", "il y a 3 mois"],
    it: ["3 min fa", "3 h fa", "3 mesi fa"],
    nl: ["3 min. geleden", "3 uur geleden", "3 maanden geleden"],
    pl: ["3 min temu", "3 godz. temu", "3 miesiące temu"],
    pt: ["há 3 min", "há 3 h", "há 3 meses"],
    "pt-br": ["há 3 min.", "há 3 h", "há 3 meses"],
    ru: ["3 мин. назад", "3 ч назад", "3 месяца назад"],
    "zh-cn": ["3分钟前", "3小时前", "3个月前"],
    "zh-tw": ["3 分鐘前", "3 小時前", "3 個月前"],
  };
  for (const [language, expected] of Object.entries(times)) {
    const shown = ["2026-03-01T11:57:00Z", "2026-03-01T09:00:00Z", "2025-11-30T12:00:00Z"]
      .map((iso) => since(language, iso).replaceAll("\u00a0", " "));
    assert.deepEqual(shown, expected, language);
  }
  assert.equal(since("en", "2025-01-01T00:00:00Z"), "last year");
});

Deno.test("pt is European Portuguese, and pt-br is Brazilian Portuguese", () => {
  const number = (language: string) => formats(language).numbers.format(12_345.6);
  assert.match(number("pt"), /^12\s345,6$/);
  assert.equal(number("pt-br"), "12.345,6");
});

Deno.test("British English uses 24 hours and puts the day first", () => {
  const iso = new Date("2024-05-03T00:11:12Z");
  assert.equal(formatsOf("en-GB", "UTC").dateTime.format(iso), "3 May 2024, 00:11:12 UTC");
  assert.match(formatsOf("en", "UTC").dateTime.format(iso), /^May 3, 2024, 12:11:12\sAM UTC$/);
});

Deno.test("lists have separators, and all units of a duration have the same style", () => {
  const list = (language: string) => formats(language).list.format(["a", "b", "c"]);
  assert.equal(list("en"), "a, b, c");
  assert.equal(list("de"), "a, b und c");
  assert.equal(list("zh-cn"), "a、b、c");
  assert.match(list("zh-tw"), /^a、b.c$/);
  const duration = (language: string, ms: number) =>
    durationText(formats(language), ms).replaceAll("\u00a0", " ");
  assert.equal(duration("en", 3_900_000), "1h 5m");
  assert.equal(duration("de", 3_900_000), "1 Std. 5 Min.");
  assert.equal(duration("de", 180_000_000), "2 Tg. 2 Std.");
  assert.equal(duration("nl", 3_900_000), "1 uur 5 min");
  assert.equal(duration("it", 180_000_000), "2 giorni 2 h");
});

Deno.test("units of sizes are in the language of the sentence", () => {
  const bytes = (language: string) => numberText(formats(language), "bytes", 65_536);
  assert.equal(bytes("en"), "65,536 bytes");
  assert.equal(bytes("zh-tw"), "65,536 位元組");
});
