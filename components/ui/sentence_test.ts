import assert from "node:assert/strict";
import { translator } from "@/lib/i18n/translate.ts";
import { createUi } from "@/lib/i18n/ui.ts";
import { listed } from "./Sentence.tsx";

Deno.test("the parts of a list are joined by the rules of its language", () => {
  const join = (language: string) => {
    const t = translator(language);
    return listed(createUi({ language, theme: "system", basePath: "", t }), ["#1", "#2", "#3"]);
  };
  assert.equal(join("en").join(""), "#1, #2, #3");
  assert.equal(join("zh-cn").join(""), "#1、#2、#3");
});
