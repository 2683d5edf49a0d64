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
});

Deno.test("lists have something between their members, and durations read as one", () => {
  const list = (language: string) => formatsOf(language, "UTC").list.format(["a", "b", "c"]);
  assert.equal(list("en"), "a, b, c");
  assert.equal(list("de"), "a, b und c");
  assert.equal(list("zh-cn"), "a、b、c");
  assert.match(list("zh-tw"), /^a、b.c$/);
  assert.equal(durationText(formatsOf("en", "UTC"), 3_900_000), "1h 5m");
});
