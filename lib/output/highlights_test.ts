import assert from "node:assert/strict";
import { createHighlighter } from "./highlighter.ts";
import { excerptOf, highlightedSpans } from "./highlights.ts";

/** Returns the line as it is shown, with highlights in brackets. */
async function marked(output: string, text: string, how = { isRegex: false, isExact: false }) {
  const [{ marks }] = await (await createHighlighter({ text, ...how }))([{
    id: 1,
    time: "",
    output,
  }]);
  return shown(highlightedSpans(output, marks));
}
const shown = (spans: ReturnType<typeof highlightedSpans>) =>
  spans.map(({ text, isHighlighted }) => isHighlighted ? `[${text}]` : text).join("");

const REGEX = { isRegex: true, isExact: false };

Deno.test("matches are highlighted as shown: across colors, and after invisible characters", async () => {
  assert.equal(await marked("ok: <b>web</b> Web", "WEB"), "ok: <b>[web]</b> [Web]");
  assert.equal(await marked("Web web", "web", { isRegex: false, isExact: true }), "Web [web]");
  assert.equal(await marked("a\x1b[31mb\x1b[0mc", "bc"), "a[b][c]");
  assert.equal(await marked("\x1b[1;31mfatal\x1b[0m: \u202ehere", "here"), "fatal: \\u202e[here]");
  assert.equal(await marked("a\\x07b\x07c", "\\x07"), "a[\\x07]b[\\x07]c");
  assert.equal(await marked("\u202e1 of 22", "\\d+", REGEX), "\\u202e[1] of [22]");
  assert.equal(await marked("a\x1b[31m😀 1\x1b[0m2", "(?:1)2$", REGEX), "a😀 [1][2]");
  assert.equal(await marked("xay", "x*", REGEX), "[x]ay");
  assert.equal(await marked("nothing", "y", REGEX), "nothing");
  // The lowercase form of the first letter has two characters.
  assert.equal(await marked("İ web", "web"), "İ web");
  const [classes] = [highlightedSpans("\x1b[31mab", [[1, 2]]).map(({ className }) => className)];
  assert.deepEqual(classes, ["ansi-red-fg", "ansi-red-fg"]);
});

Deno.test("the number of highlights in a line is limited", async () => {
  const record = { id: 1, time: "", output: "a".repeat(16_000) };
  for (const how of [REGEX, { isRegex: false, isExact: true }]) {
    const [{ marks }] = await (await createHighlighter({ text: "a", ...how }))([record]);
    assert.ok(marks!.length > 0 && marks!.length <= 100);
  }
});

Deno.test("an excerpt is the part around the first highlight", () => {
  const line = `${"x".repeat(1_000)} web ${"y".repeat(1_000)}`;
  const excerpt = shown(excerptOf(highlightedSpans(line, [[1_001, 1_004]])));
  assert.match(excerpt, /^…x{39} \[web\] y{256}$/);
  assert.equal(shown(excerptOf(highlightedSpans(line))), "x".repeat(300));
  assert.equal(shown(excerptOf(highlightedSpans("a web", [[2, 5]]))), "a [web]");
});
