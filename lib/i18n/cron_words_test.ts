import assert from "node:assert/strict";
import { cronWords } from "./cron_words.ts";

const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "pt-br", "ru", "zh-cn", "zh-tw"];

Deno.test("a cron pattern is told in each of twelve languages, in its way to tell the hour", () => {
  const told = LANGUAGES.map((id) => cronWords(id, "30 14 * * 1"));
  assert.ok(told.every((text) => text !== null));
  // Both kinds of Portuguese may agree; no other two do, so none fell back to English.
  assert.ok(new Set(told).size >= told.length - 1, JSON.stringify(told));
  assert.equal(cronWords("en", "30 2 * * *"), "At 2:30 AM");
  assert.equal(cronWords("de", "30 2 * * *"), "Um 02:30");
  assert.equal(cronWords("zh-tw", "30 14 * * *"), "在 14:30");
});

Deno.test("what croner runs is told as croner runs it", () => {
  const cases = {
    "@hourly": "Every hour",
    "@midnight": "At 12:00 AM",
    "@annually": "At 12:00 AM, on day 1 of the month, only in January",
    "0 0 * * 7": "At 12:00 AM, only on Sunday",
    "0 0 L * *": "At 12:00 AM, on the last day of the month",
    "0 0 * * 5#2": "At 12:00 AM, on the second Friday of the month",
    // Either of the two: as cron has it, and croner does it.
    "0 0 1 * 1": "At 12:00 AM, on day 1 of the month, and on Monday",
  };
  for (const [pattern, words] of Object.entries(cases)) {
    assert.equal(cronWords("en", pattern), words, pattern);
  }
});

Deno.test("what there are no words for is null, and no failure", () => {
  for (const pattern of ["", "nonsense", "@every 1h", "99 * * * *", "a b c d e", "* * *"]) {
    assert.equal(cronWords("en", pattern), null, pattern);
  }
});
