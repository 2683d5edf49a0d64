import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

const COLUMNS_MAX = 100;

/** A line of a comment, and its text. The rows of a table, as in lib/store/keys/, are not prose. */
const COMMENT = /^\s*(?:\/\*\*?|\/\/|#|\*)\s+(?!\|)(\S.*)$/;
/** Relative clauses without a noun. A comment opens with its subject or its verb. */
const ODD_OPENING = /^(?:What|Of|Who|Whoever|Whose|Whom|Those (?:that|who)|In which|Which)\b/;

/** Comments that open with a clause instead of a noun or a verb, and lines that are too long. */
function oddComments(file: string, text: string): string[] {
  const odd: string[] = [];
  const lines = text.split("\n");
  for (const [n, line] of lines.entries()) {
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined) continue;
    const opens = !COMMENT.test(lines[n - 1] ?? "");
    if (opens && ODD_OPENING.test(comment)) odd.push(`${file}:${n + 1}: ${comment}`);
    if ([...line].length > COLUMNS_MAX && !comment.includes("://")) {
      odd.push(`${file}:${n + 1}: over ${COLUMNS_MAX} columns`);
    }
  }
  return odd;
}

/** Apostrophes in comments of a quoted script of the shell: they would end its quotes. */
function endedQuotes(file: string, text: string): string[] {
  let isQuoted = false;
  return text.split("\n").flatMap((line, n) => {
    if (/\s-c '$/.test(line)) isQuoted = true;
    else if (line.startsWith("'")) isQuoted = false;
    return isQuoted && /^\s*#.*'/.test(line) ? [`${file}:${n + 1}`] : [];
  });
}

/** Prose over 100 columns. Tables, links and code cannot be wrapped. */
function longProse(file: string, text: string): string[] {
  let isCode = false;
  return text.split("\n").flatMap((line, n) => {
    if (line.startsWith("```")) isCode = !isCode;
    const isProse = !isCode && !/^\s*\||\]\(/.test(line);
    return isProse && [...line].length > COLUMNS_MAX ? [`${file}:${n + 1}`] : [];
  });
}

async function find(files: RegExp, check: typeof oddComments): Promise<string[]> {
  const found: string[] = [];
  for await (const file of walk(ROOT, files)) {
    found.push(...check(file, await Deno.readTextFile(join(ROOT, file))));
  }
  return found;
}

Deno.test("comments open with a noun or a verb, and have at most 100 columns", async () => {
  assert.deepEqual(await find(/\.(tsx?|css|py|sh)$/, oddComments), []);
});

Deno.test("no comment ends the quotes of a script of the shell", async () => {
  assert.deepEqual(await find(/\.sh$/, endedQuotes), []);
  const script = (comment: string) => `setsid sh -c '\n  # ${comment}\n  exec "$@"\n' sh a\n# it's`;
  assert.deepEqual(endedQuotes("a.sh", script("The server's files")), ["a.sh:2"]);
  assert.deepEqual(endedQuotes("a.sh", script("Files of the server")), []);
});

Deno.test("the documents have at most 100 columns", async () => {
  assert.deepEqual(await find(/\.md$/, longProse), []);
});

Deno.test("each decision has a number of its own, which its title repeats", async () => {
  const numbers = await find(/^docs\/decisions\/\d.*\.md$/, (file, text) => {
    const number = Number(/\/(\d+)-/.exec(file)![1]);
    assert.ok(text.startsWith(`# ${number}. `), file);
    return [String(number)];
  });
  assert.deepEqual(numbers.filter((number, n) => numbers.indexOf(number) !== n), []);
});

Deno.test("an odd opening is found where a comment begins, and nowhere else", () => {
  const odd = [
    "/** What is told. */",
    "// Who may see it.",
    "/**\n * Of a task.\n */",
    "# Whose key it is",
  ];
  for (const text of odd) assert.equal(oddComments("a.ts", text).length, 1, text);
  const fine = [
    "/** The message for people. */",
    "// Returns a list of those that\n// What follows is a sentence that goes on.",
    'const text = "What is told";',
    "/** Whether it is so. */",
  ];
  for (const text of fine) assert.deepEqual(oddComments("a.ts", text), [], text);
  assert.equal(oddComments("a.ts", `// ${"long ".repeat(25)}`).length, 1);
  assert.deepEqual(longProse("a.md", "x".repeat(101)), ["a.md:1"]);
  assert.deepEqual(longProse("a.md", `| ${"x".repeat(101)} |`), []);
});
