import assert from "node:assert/strict";
import { posix } from "node:path";
import { ROOT, walk } from "../support/basics/walk.ts";

/** Documents for people who change Callboard. All others name few files of it. */
const FOR_DEVELOPERS = /^(ARCHITECTURE|CONTRIBUTING|docs\/development|docs\/decisions\/.*)\.md$/;
/** Beginnings of paths from the root. */
const FROM_ROOT =
  /^(components|demo|docs|islands|lib|locales|packaging|routes|scripts|static|tests|tools)\//;
/** Names of our files and tests without a folder, or with a part of it. */
const OF_SOURCES = /^[\w./[\]()-]+(\.(tsx?|py|css)|_test)$/;
/** Patterns, and the made-up noun of docs/development.md. */
const MADE_UP = /[*<>…{}=|]|\.\.\.|prox(y|ies)|snake_case|PascalCase/i;

/** The files of the project, and the texts of those that name others. */
interface Tree {
  files: Set<string>;
  folders: Set<string>;
  read(file: string): string;
}

function treeOf(texts: Map<string, string>): Tree {
  const folders = new Set<string>();
  for (const file of texts.keys()) {
    for (let at = posix.dirname(file); at !== "."; at = posix.dirname(at)) folders.add(at);
  }
  return { files: new Set(texts.keys()), folders, read: (file) => texts.get(file) ?? "" };
}

async function readTree(): Promise<Tree> {
  const texts = new Map<string, string>();
  for await (const file of walk(ROOT, /./)) {
    const isRead = /\.(md|tsx?|py|sh)$/.test(file);
    texts.set(file, isRead ? await Deno.readTextFile(ROOT + file) : "");
  }
  return treeOf(texts);
}

/** Whether a name is that of a file or folder: its path, or the end of it. Tests need no ".ts". */
function exists(name: string, { files, folders }: Tree): boolean {
  const path = name.replace(/\/$/, "");
  if (files.has(path) || folders.has(path)) return true;
  const isTest = path.endsWith("_test");
  if (FROM_ROOT.test(name) && !isTest) return false;
  return [...files].some((file) => `/${file}`.endsWith(`/${path}${isTest ? ".ts" : ""}`));
}

/** Says where a file may be now: wherever there is one of its name. */
function whereNow(name: string, { files, folders }: Tree): string {
  const base = posix.basename(name).replace(/_test$/, "_test.ts");
  const found = [...files, ...folders].filter((path) => posix.basename(path) === base);
  return found.length > 0 ? ` (perhaps ${found.slice(0, 3).join(", ")})` : "";
}

/** Returns the address by which GitHub leads to a heading. */
const anchorOf = (title: string): string =>
  title.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");

const headingsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!);

/** Names in a document that nothing in the project has, each with its line. */
function missingNames(document: string, tree: Tree): string[] {
  const text = tree.read(document).replaceAll(/^```[\s\S]*?^```/gm, blank);
  const found: string[] = [];
  const report = (index: number, problem: string) =>
    found.push(`${document}:${text.slice(0, index).split("\n").length}: ${problem}`);
  for (const { 1: target, index } of text.matchAll(/\]\((?!\w+:)([^()\s]+)\)/g)) {
    const [path, anchor] = target!.split("#");
    const file = path ? posix.join(posix.dirname(document), path) : document;
    if (!tree.files.has(file) && !tree.folders.has(file)) {
      report(index, `the link leads to ${file}, which does not exist${whereNow(file, tree)}`);
    } else if (anchor && !headingsOf(tree.read(file)).map(anchorOf).includes(anchor)) {
      report(index, `${file} has no heading #${anchor}`);
    }
  }
  for (const { 1: name, index } of text.matchAll(/`([^`\s]+)`/g)) {
    const isOurs = FROM_ROOT.test(name!) ||
      FOR_DEVELOPERS.test(document) && OF_SOURCES.test(name!);
    if (isOurs && !MADE_UP.test(name!) && !exists(name!, tree)) {
      report(index, `${name} does not exist${whereNow(name!, tree)}`);
    }
  }
  return found;
}

const blank = (code: string): string => code.replaceAll(/[^\n]/g, " ");

/** Decisions that a text names and that have no file, or, in a document, no line in their list. */
function missingDecisions(file: string, tree: Tree): string[] {
  const list = tree.read("docs/decisions/README.md");
  const numbers = new Set(
    [...tree.files].map((path) => Number(/^docs\/decisions\/(\d+)-/.exec(path)?.[1])),
  );
  const isKnown = (number: number) =>
    numbers.has(number) || file.endsWith(".md") && new RegExp(`^\\| ${number} `, "m").test(list);
  return [...tree.read(file).matchAll(/\b[dD]ecisions?[ /]\[?(\d+)/g)]
    .filter(([, number]) => !isKnown(Number(number)))
    .map(([, number]) =>
      `${file}: decision ${Number(number)} has no file in docs/decisions/; its README says what ` +
      "became of it"
    );
}

Deno.test("files, folders, tests and headings that documents name exist", async () => {
  const tree = await readTree();
  const documents = [...tree.files].filter((file) => file.endsWith(".md"));
  const missing = documents.flatMap((file) => missingNames(file, tree));
  assert.ok(missing.length === 0, `correct these documents:\n${missing.join("\n")}`);
});

Deno.test("decisions that documents and comments name exist", async () => {
  const tree = await readTree();
  const missing = [...tree.files].filter((file) => !/_test\.tsx?$/.test(file))
    .flatMap((file) => missingDecisions(file, tree));
  assert.ok(missing.length === 0, missing.join("\n"));
});

Deno.test("each decision that binds is in the list of decisions", async () => {
  const tree = await readTree();
  const list = tree.read("docs/decisions/README.md");
  const decisions = [...tree.files].filter((file) => /^docs\/decisions\/\d/.test(file));
  const unlisted = decisions.filter((file) => !list.includes(`](${posix.basename(file)})`));
  assert.deepEqual(unlisted, [], "add a line to docs/decisions/README.md");
});

Deno.test("a name that nothing has is found, with its line and where it may be now", () => {
  const tree = treeOf(
    new Map([
      [
        "ARCHITECTURE.md",
        "# A\n`lib/a/b.ts` `b.ts` `a/b_test` `lib/a/` `npm run` [1](docs/c.md#one-two) [2](#a)\n" +
        "```\n`lib/no.ts`\n```\n`lib/old/b.ts` `no_test` `lib/<noun>/no.ts`\n" +
        "[3](docs/no.md) [4](docs/c.md#three) [5](https://example.com/no.md)",
      ],
      ["docs/c.md", "## One, two\n`b.ts` `own.py` `lib/own.py`"],
      ["lib/a/b.ts", "decision 4, decision 5, decisions/0004"],
      ["lib/a/b_test.ts", ""],
      ["docs/decisions/0004-x.md", "decision 5 decision 6"],
      ["docs/decisions/README.md", "| 5 | y | history |"],
    ]),
  );
  assert.deepEqual(missingNames("ARCHITECTURE.md", tree), [
    "ARCHITECTURE.md:7: the link leads to docs/no.md, which does not exist",
    "ARCHITECTURE.md:7: docs/c.md has no heading #three",
    "ARCHITECTURE.md:6: lib/old/b.ts does not exist (perhaps lib/a/b.ts)",
    "ARCHITECTURE.md:6: no_test does not exist",
  ]);
  assert.deepEqual(missingNames("docs/c.md", tree), ["docs/c.md:2: lib/own.py does not exist"]);
  assert.equal(missingDecisions("lib/a/b.ts", tree).length, 1);
  assert.match(missingDecisions("docs/decisions/0004-x.md", tree).join(), /^.*decision 6 has/);
});
