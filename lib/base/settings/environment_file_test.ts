import assert from "node:assert/strict";
import { CASES, FILE, WARNINGS } from "@/tests/support/basics/environment_file.ts";
import { parseEnvironmentFile } from "./environment_file.ts";

Deno.test("a file of variables is read as systemd reads it, and odd lines are named", () => {
  const { set, odd } = parseEnvironmentFile(FILE);
  assert.deepEqual(Object.fromEntries(set.map(({ name, value }) => [name, value])), CASES);
  assert.deepEqual(odd.map(({ line, why }) => `line ${line}: ${why}`).concat(""), WARNINGS);
});

Deno.test("of two lines with one name the later one counts, whatever ends the file", () => {
  const { set, odd } = parseEnvironmentFile("A=1\r\nB=2 \n\nA=3");
  assert.deepEqual(set.map(({ name, value, line }) => [name, value, line]), [
    ["A", "3", 4],
    ["B", "2", 2],
  ]);
  assert.deepEqual(odd, [{ line: 4, why: "A is set a second time" }]);
});
