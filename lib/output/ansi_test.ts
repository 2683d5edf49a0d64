import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { ansiSpans, plainText } from "./ansi.ts";

Deno.test("colors become classes, and text stays text", () => {
  assert.deepEqual(ansiSpans("\x1b[0;32mok: [web]\x1b[0m <b>"), [
    { text: "ok: [web]", className: "ansi-green-fg" },
    { text: " <b>", className: "" },
  ]);
  assert.deepEqual(ansiSpans("\x1b[1;31;44ma\x1b[22mb\x1b[39;49mc\x1b[3;4;97md\x1b[me"), [
    { text: "a", className: "ansi-bold ansi-red-fg ansi-blue-bg" },
    { text: "b", className: "ansi-red-fg ansi-blue-bg" },
    { text: "c", className: "" },
    { text: "d", className: "ansi-italic ansi-underline ansi-bright-white-fg" },
    { text: "e", className: "" },
  ]);
});

Deno.test("palette and RGB colors are reduced to the sixteen basic ones", () => {
  assert.equal(ansiSpans("\x1b[38;5;196mred")[0].className, "ansi-bright-red-fg");
  assert.equal(ansiSpans("\x1b[38;5;244mgrey")[0].className, "ansi-white-fg");
  assert.equal(ansiSpans("\x1b[48;5;0;4mblack")[0].className, "ansi-underline ansi-black-bg");
  assert.equal(ansiSpans("\x1b[38;2;0;100;0;1mgreen")[0].className, "ansi-bold ansi-green-fg");
  assert.equal(ansiSpans("\x1b[38:2:90:0:255mblue")[0].className, "ansi-bright-blue-fg");
});

Deno.test("sequences that move a cursor, set a title, link or hide text are shown without effect", () => {
  const shown = {
    "\x1b]0;title\x07\x1b[2Kdone": "\\x1b]0;title\\x07\\x1b[2Kdone",
    "\x1b]8;;http://evil.example\x1b\\here": "\\x1b]8;;http://evil.example\\x1b\\here",
    "\x1b[8mhidden\x1b[3A\x9b31m": "hidden\\x1b[3A\\x9b31m",
    "10%\r20%\r\b": "10%\\r20%\\r\\b",
    "\0\x7f\x85\u2028": "\\x00\\x7f\\x85\\u2028",
    "a\u202eb\u2066c\u2069\u200f\u061c": "a\\u202eb\\u2066c\\u2069\\u200f\\u061c",
    "pass\u200bword\u2060\ufeff\xad": "pass\\u200bword\\u2060\\ufeff\\xad",
    "pass\u200dword \u{e0041}": "pass\\u200dword \\u{e0041}",
    "tab\tstays": "tab\tstays",
  };
  for (const [line, text] of Object.entries(shown)) assert.equal(plainText(line), text);
  assert.deepEqual(ansiSpans("\x1b[31ma\rb"), [
    { text: "a", className: "ansi-red-fg" },
    { text: "\\r", className: "log-unseen" },
    { text: "b", className: "ansi-red-fg" },
  ]);
});

Deno.test("letters of all languages, and emoji, stay unchanged", () => {
  for (const line of ["👩‍👩‍👧 ❤️ 🏳️‍🌈", "می‌خواهم", "क्‍ष", "שלום", "日本語", "naïve e\u0301"]) {
    assert.equal(plainText(line), line);
  }
});

Deno.test("no invisible character is left, and no visible one is lost", () => {
  const unit = fc.oneof(
    fc.constantFrom("\x1b", "[", "m", "31", ";", "\r", "\u202e", "\u200d", "ä", "👩", "K", "]8;;"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  fc.assert(fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
    const line = units.join("");
    const text = plainText(line);
    assert.doesNotMatch(text, /[\p{Bidi_Control}]|(?!\t|\n)\p{Cc}/u);
    const seen = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
    // deno-lint-ignore no-control-regex -- removes the colors
    const kept = seen(line.replace(/\x1b\[[\d;:]*m/g, ""));
    assert.equal(
      seen(text.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\}|[rb])/g, "")),
      kept,
    );
  }));
});
