import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";
import { newContexts } from "@/tests/support/browser/browser.ts";

/** A declaration is formatted as a line of its own. */
const PROPERTY = /^\s+(-?[a-z][a-z-]*): /gm;

Deno.test("The browser knows each property in the style sheets", async () => {
  await using contexts = await newContexts();
  const page = await (await contexts.open()).newPage();
  /** A style sheet that uses each property. */
  const used = new Map<string, string>();
  for await (const file of walk(ROOT, /^(components|islands)\/.*\.css$/)) {
    const css = await Deno.readTextFile(join(ROOT, file));
    for (const [, property] of css.matchAll(PROPERTY)) used.set(property, file);
  }
  assert.ok(used.has("place-items"));
  const unknown = await page.evaluate(
    (names) => names.filter((name) => !CSS.supports(name, "inherit")),
    [...used.keys()],
  );
  assert.deepEqual(unknown.map((name) => `${name} in ${used.get(name)}`), []);
});
