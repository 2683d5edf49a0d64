import assert from "node:assert/strict";
import { durationText, formatsOf, relativeTime } from "./formats.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

Deno.test("how long ago is told in words of each language, as short as they are", () => {
  const told = (language: string) =>
    relativeTime(formatsOf(language, "UTC"), "2026-03-01T09:00:00Z", NOW);
  assert.equal(told("en"), "3h ago");
  assert.match(told("de"), /^vor 3/);
  assert.match(told("fr"), /^il y a 3/);
  assert.match(told("ru"), /назад$/);
  assert.match(told("pl"), /godz\. temu$/);
  assert.match(told("pt"), /^há 3/);
});

Deno.test("Portuguese is that of Portugal, where it is not said to be Brazil's", () => {
  const number = (language: string) => formatsOf(language, "UTC").numbers.format(12_345.6);
  assert.match(number("pt"), /^12\s345,6$/);
  assert.equal(number("pt-br"), "12.345,6");
});

Deno.test("lists have something between their members, and durations read as one", () => {
  const list = (language: string) => formatsOf(language, "UTC").list.format(["a", "b", "c"]);
  assert.equal(list("en"), "a, b, c");
  assert.equal(list("de"), "a, b und c");
  assert.equal(list("zh-cn"), "a、b、c");
  assert.match(list("zh-tw"), /^a、b.c$/);
  assert.equal(durationText(formatsOf("en", "UTC"), 3_900_000), "1h 5m");
  assert.equal(durationText(formatsOf("de", "UTC"), 3_900_000), "1 Std. 5 Min.");
});
