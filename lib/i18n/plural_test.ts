import assert from "node:assert/strict";
import { inPlural, pluralForms } from "./plural.ts";
import { translator } from "./translate.ts";

Deno.test("an island uses the plural forms of its language", () => {
  const lines = pluralForms({ language: "en", t: translator("en") }, "task_log.lines");
  assert.deepEqual(lines, { one: "{{count}} line", other: "{{count}} lines" });
  const told = [0, 1, 2, 200_000].map((count) => inPlural("en", lines, count));
  assert.deepEqual(told, ["0 lines", "1 line", "2 lines", "200,000 lines"]);
  const polish = { one: "{{count}} wiersz", few: "{{count}} wiersze", many: "{{count}} wierszy" };
  const counted = [1, 3, 12].map((count) => inPlural("pl", polish, count));
  assert.deepEqual(counted, ["1 wiersz", "3 wiersze", "12 wierszy"]);
});
