import assert from "node:assert/strict";
import { ansiSpans, plainText } from "./ansi.ts";

Deno.test("colours become classes, and text stays text", () => {
  assert.deepEqual(ansiSpans("\x1b[0;32mok: [web]\x1b[0m <b>"), [
    { text: "ok: [web]", className: "ansi-green-fg" },
    { text: " <b>", className: "" },
  ]);
});

Deno.test("the 256 colours come as one of the sixteen", () => {
  assert.equal(ansiSpans("\x1b[38;5;196mred")[0].className, "ansi-bright-red-fg");
  assert.equal(ansiSpans("\x1b[38;5;244mgrey")[0].className, "ansi-white-fg");
});

Deno.test("what moves a cursor or sets a title is left out", () => {
  assert.equal(plainText("\x1b]0;title\x07\x1b[2Kdone\x1b[1mbold\x1b[0m"), "donebold");
  assert.deepEqual(ansiSpans("\x1b[2Kdone"), [{ text: "done", className: "" }]);
});
