import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

/** Returns the lines of the files that match a pattern, with their files. */
async function linesWith(files: RegExp, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for await (const file of walk(ROOT, files)) {
    const lines = (await Deno.readTextFile(join(ROOT, file))).split("\n");
    found.push(
      ...lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`),
    );
  }
  return found.toSorted();
}

Deno.test("filled red is for alarms and the last question of a deletion", async () => {
  const styles = await linesWith(/^(components|islands|static)\/.*\.css$/, /var\(--danger_solid/);
  assert.deepEqual(styles, [
    "components/shell/drawer.css: background: var(--danger_solid);", // things that fail
    "components/ui/button.css: background: var(--danger_solid);",
    "components/ui/button.css: background: var(--danger_solid_hover);",
  ]);
  const buttons = await linesWith(/^(components|islands|routes)\/.*\.tsx$/, /kind=.*"final"/);
  assert.deepEqual(buttons.map((line) => line.split(": ")[0]), ["components/ui/forms/Form.tsx"]);
  const questions = await linesWith(/^(components|islands|routes)\/.*\.tsx$/, /^\s*danger(=.*)?$/);
  assert.deepEqual(questions, ["components/ui/forms/Confirm.tsx: danger={!harmless}"]);
});
