import assert from "node:assert/strict";
import { readSources } from "@/tests/support/house/sources.ts";

/** The start of a test or of a step, and its name. */
const NAMED = /\b(?:Deno\.test|\.step|step|proveOnBoth)\(\s*(["`])((?:(?!\1|\\).|\\.)+)\1/g;

/**
 * Words of names that a reader has to read twice. Only people tell, work continues, two things
 * happen in parallel or immediately, and a name opens with its subject.
 */
const ODD = [
  /^(?:what|of what|who|whoever|whose|those|nor)\b/i,
  /\b(?:tells?|told|at once|for ever|newest)\b/,
  /\b(?:goes?|going|went) on\b/,
  /\b(?:some|no|every|any)body\b/i,
  /\bby (?:itself|themselves)\b/,
  /\bswitch(?:ed|es)? (?:on|off)\b/,
  /\b(?:is|are) no (?!longer|more|other|one)\w/,
];

/** Returns the odd names of tests in a file. */
const oddNames = (file: string, text: string): string[] =>
  [...text.matchAll(NAMED)].filter(([, , name]) => ODD.some((odd) => odd.test(name)))
    .map(([, , name]) => `${file}: ${name}`);

Deno.test("names of tests are sentences in plain words that open with their subject", async () => {
  const sources = [...await readSources(/_test\.tsx?$/)];
  assert.deepEqual(sources.flatMap(([file, text]) => oddNames(file, text)), []);
});

Deno.test("an odd name is found, and a plain one is not", () => {
  const named = (name: string) => oddNames("a_test.ts", `Deno.test("${name}", () => {});`);
  const odd = [
    "What is wrong is shown",
    "a wrong name is told in the form",
    "a play goes on without its server",
    "nobody starts it",
    "two starts at once make one task",
    "a preview is no task",
  ];
  for (const name of odd) assert.deepEqual(named(name), [`a_test.ts: ${name}`]);
  assert.equal(
    oddNames("a_test.ts", ["await t.step(", "`${a} is told`, run);"].join("")).length,
    1,
  );
  const plain = ["a wrong name is reported in the form", "a preview is no longer shown"];
  for (const name of plain) assert.deepEqual(named(name), []);
});
