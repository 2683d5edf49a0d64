import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

/** Selectors for an ARIA attribute with any value, which match "false", too. */
const anyValue = (text: string): string[] => text.match(/\[aria-[a-z]+\]/g) ?? [];

Deno.test("styles name the value of an ARIA attribute, because it may be false", async () => {
  const found: string[] = [];
  for await (const file of walk(ROOT, /^(components|islands|lib|static)\/.*\.css$/)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    found.push(...anyValue(text).map((selector) => `${file}: ${selector}`));
  }
  assert.deepEqual(found, []);
  assert.deepEqual(anyValue('input[aria-invalid], a[aria-current="page"]'), ["[aria-invalid]"]);
});
