import assert from "node:assert/strict";
import { translator } from "./translate.ts";
import { visible } from "./visible.ts";

Deno.test("a name cannot turn around, hide or end the sentence that it stands in", () => {
  const t = translator("en");
  assert.equal(
    t("flash.keys.saved", { name: "\u202egnp.exe\u2067" }),
    t("flash.keys.saved", { name: "\\u202egnp.exe\\u2067" }),
  );
  assert.ok(t("flash.keys.saved", { name: "Schlüssel 🔑" }).includes("Schlüssel 🔑"));
});

Deno.test("line ends and tabs stay, other control characters are told", () => {
  assert.equal(visible("a\tb\nc"), "a\tb\nc");
  assert.equal(visible("\0\r\x1b\u2028"), "\\x00\\r\\x1b\\u2028");
});
