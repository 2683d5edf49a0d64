import assert from "node:assert/strict";
import { translator } from "./translate.ts";
import { visible } from "./visible.ts";

Deno.test("a name cannot reverse, hide or end the sentence around it", () => {
  const t = translator("en");
  assert.equal(
    t("flash.keys.saved", { name: "\u202egnp.exe\u2067" }),
    t("flash.keys.saved", { name: "\\u202egnp.exe\\u2067" }),
  );
  assert.ok(t("flash.keys.saved", { name: "Schlüssel 🔑" }).includes("Schlüssel 🔑"));
});

Deno.test("line breaks and tabs stay, and other control characters are escaped", () => {
  assert.equal(visible("a\tb\nc"), "a\tb\nc");
  assert.equal(visible("\0\r\x1b\u2028"), "\\x00\\r\\x1b\\u2028");
});
