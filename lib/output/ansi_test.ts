import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { ansiSpans, plainText } from "./ansi.ts";
import { settledLine } from "./settle.ts";

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

Deno.test("a line is shown as a terminal shows it at its end", () => {
  const shown = {
    "10%\r20%\r100%": "100%",
    "downloading\rdone": "doneloading",
    "downloading\r\x1b[Kdone": "done",
    "downloading\x1b[2K\rdone": "done",
    "downloading\x1b[1K\rdone": "done",
    "abc\x1b[2Kd": "   d",
    "abcdef\x1b[3D\x1b[K": "abc",
    "abc\x1b[1GX\x1b[CY": "XbY",
    "ab\b\bX": "Xb",
    "a\x1b[99999Cb\x1b[5A\x1b[2Jc": "abc",
    "\x1b]0;title\x07done\x1b[K": "done",
    "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\": "here",
    "\x1b]0;no end": "0;no end",
    "\x1b(B\x1b[?25lhidden cursor\x1b[?25h\x1bc": "hidden cursor",
    "\x1b[8mhidden\x1b[3A": "hidden",
    "日本\r本": "本本",
    "end\x1b": "end",
    "end\x1b[": "end",
  };
  for (const [line, text] of Object.entries(shown)) assert.equal(plainText(line), text);
  assert.deepEqual(ansiSpans("\x1b[31mred\r\x1b[32mg\x1b[m"), [
    { text: "g", className: "ansi-green-fg" },
    { text: "ed", className: "ansi-red-fg" },
  ]);
});

Deno.test("reversed and crossed out text, and doubly underlined text, have their classes", () => {
  assert.deepEqual(ansiSpans("\x1b[7ma\x1b[31mb\x1b[27mc\x1b[9;21md\x1b[29;24me"), [
    { text: "a", className: "ansi-inverse-fg ansi-inverse-bg" },
    { text: "b", className: "ansi-red-bg" },
    { text: "c", className: "ansi-red-fg" },
    { text: "d", className: "ansi-strike ansi-underline ansi-red-fg" },
    { text: "e", className: "ansi-red-fg" },
  ]);
});

Deno.test("other invisible characters are shown without effect", () => {
  const shown = {
    "\x9b31m": "\\x9b31m",
    "\0\x7f\x85\u2028": "\\x00\\x7f\\x85\\u2028",
    "a\u202eb\u2066c\u2069\u200f\u061c": "a\\u202eb\\u2066c\\u2069\\u200f\\u061c",
    "pass\u200bword\u2060\ufeff\xad": "pass\\u200bword\\u2060\\ufeff\\xad",
    "pass\u200dword \u{e0041}": "pass\\u200dword \\u{e0041}",
    "tab\tstays": "tab\tstays",
  };
  for (const [line, text] of Object.entries(shown)) assert.equal(plainText(line), text);
  assert.deepEqual(ansiSpans("\x1b[31ma\u202eb"), [
    { text: "a", className: "ansi-red-fg" },
    { text: "\\u202e", className: "log-unseen" },
    { text: "b", className: "ansi-red-fg" },
  ]);
});

Deno.test("the work for a line of moves and deletions is linear", () => {
  const cost = (unit: string) => {
    const line = "x".repeat(8_000) + unit.repeat(2_000);
    const since = performance.now();
    plainText(line);
    return performance.now() - since;
  };
  for (const unit of ["\x1b[2K", "\x1b[1K", "\rx\b", "\x1b]", "\x1b[;", "\x1b[31m", "\x1b[1D"]) {
    assert.ok(cost(unit) < 500, JSON.stringify(unit));
  }
});

Deno.test("letters of all languages, and emoji, stay unchanged", () => {
  for (const line of ["👩‍👩‍👧 ❤️ 🏳️‍🌈", "می‌خواهم", "क्‍ष", "שלום", "日本語", "naïve e\u0301"]) {
    assert.equal(plainText(line), line);
  }
});

Deno.test("no invisible character is left, and searches find what is shown", () => {
  const unit = fc.oneof(
    fc.constantFrom(
      "\x1b",
      "[",
      "m",
      "31",
      ";",
      "\r",
      "\b",
      "\u202e",
      "\u200d",
      "ä",
      "👩",
      "K",
      "]8;;",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  fc.assert(fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
    const line = units.join("").replaceAll("\n", " ");
    const text = plainText(line);
    assert.doesNotMatch(text, /[\p{Bidi_Control}]|(?!\t|\n)\p{Cc}/u);
    assert.equal(ansiSpans(line).map(({ text }) => text).join(""), text);
    assert.equal(settledLine(settledLine(line)), settledLine(line));
  }));
});
