import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./support/walk.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The variables that the code reads, but for those that it gives to playbooks. */
async function readVariables(): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const file of walk(ROOT, /^(lib|scripts)\/.*\.ts$|^main\.ts$/)) {
    if (file.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, name] of text.matchAll(/["'](CALLBOARD_[A-Z_]+)["']/g)) names.add(name);
  }
  return names;
}

Deno.test("README.md lists every setting, and no other", async () => {
  const readme = await Deno.readTextFile(join(ROOT, "README.md"));
  const listed = [...readme.matchAll(/^\| `(CALLBOARD_[A-Z_]+)`/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), [...await readVariables()].toSorted());
});
