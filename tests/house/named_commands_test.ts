import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { commandScript } from "@/tools/package/command.ts";
import { parse } from "@/tests/packages/yaml.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

const tasks = Object.keys(denoJson.tasks);

/** Commands of `bin/callboard`, which the archive, the deb, the rpm and the image have. */
const commands = [...commandScript(denoJson).matchAll(/^ {2}([a-z][\w-]*)\)$/gm)]
  .map(([, name]) => name!);

/** Tasks of documents for operators that need the sources, whatever is installed. */
const OF_SOURCES = ["bench", "package", "release"];

/** A text, with the path of its file. */
interface Text {
  file: string;
  text: string;
}

/** Reads the files in folders, or files, whose names match. */
async function read(paths: string[], name: RegExp): Promise<Text[]> {
  const found = await Promise.all(paths.map(async (path) => {
    if ((await Deno.stat(join(ROOT, path))).isFile) return [join(ROOT, path)];
    const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && name.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  }));
  return await Promise.all(
    found.flat().sort().map(async (path) => ({
      file: relative(ROOT, path),
      text: await Deno.readTextFile(path),
    })),
  );
}

/** Documents that packages contain, sentences, and the files that install Callboard. */
const forOperators = [
  ...(await read(["README.md", "docs"], /\.md$/))
    .filter(({ file }) => !/decisions\/|development\.md/.test(file)),
  ...await read(["locales", "packaging"], /./),
];
const documents = [
  ...forOperators,
  ...await read(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/development.md"], /./),
];
const sources = (await read(["lib", "scripts", "routes", "components"], /\.tsx?$/))
  .filter(({ file }) => !file.endsWith("_test.ts"));

const namedTasks = ({ text }: Text): string[] =>
  [...text.matchAll(/deno task (?:--\S+ )*([a-z][\w-]*)/g)].map(([, name]) => name!);

/**
 * Returns the commands, with their words, that a text asks `callboard` for. In `docker exec
 * callboard callboard user`, the first one is a container, and in `usermod -aG`, it is a group.
 */
const namedCommands = ({ text }: Text): string[][] =>
  [...text.matchAll(/(?<![\w./:@+-]|-aG )callboard ((?:[a-z][\w-]*)(?: [a-z][\w-]*)?)(?![\w/])/g)]
    .map(([, words]) => words!.split(" "))
    .filter(([name]) => !name!.startsWith("callboard") && !["packaging", "exec"].includes(name!));

/** Returns the words that a command of several begins with, as its usage lists them. */
async function subcommands(command: string): Promise<string[] | null> {
  const name = command.replace("-", "_");
  const files = await read(["scripts"], new RegExp(`^${name}\\.ts$`));
  const usage = files.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}\$\{COMMAND\} ([a-z][\w-]*)/gm)].map(([, word]) => word!)
  );
  return usage.length > 0 ? usage : null;
}

Deno.test("each task that a document names is one of deno.json", () => {
  const named = documents.flatMap((text) => namedTasks(text).map((name) => [text.file, name]));
  assert.ok(named.length > 50, String(named.length));
  assert.deepEqual(named.filter(([, name]) => !tasks.includes(name!)), []);
});

Deno.test("each task in a document for operators is also a command of every package", () => {
  const named = new Set(forOperators.flatMap(namedTasks));
  const missing = [...named].filter((name) => !commands.includes(name)).sort();
  assert.deepEqual(missing, OF_SOURCES);
});

Deno.test("each command that a document names exists, with the words that follow it", async () => {
  const named = documents.flatMap((text) => namedCommands(text).map((words) => ({ text, words })));
  assert.ok(named.length > 15, String(named.length));
  const words = [...commands, "version", "help"];
  for (const { text: { file }, words: [name, word] } of named) {
    assert.ok(words.includes(name!), `${file}: callboard ${name}`);
    const known = word === undefined ? null : await subcommands(name!);
    if (known) assert.ok(known.includes(word!), `${file}: callboard ${name} ${word}`);
  }
});

Deno.test("each command in a message exists in the sources and in every package", () => {
  const named = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/operatorCommand\(\s*["`]([a-z-]+)/g)].map(([, name]) => [file, name!])
  );
  assert.ok(named.length > 15, String(named.length));
  for (const [file, name] of named) {
    assert.ok(tasks.includes(name!) && commands.includes(name!), `${file}: ${name}`);
  }
  // Others cannot know the installation in use.
  const fixed = sources.filter(({ file, text }) =>
    file.startsWith("lib/") &&
    /["`'][^"`'\n]*deno task [a-z]/.test(text.replaceAll(/^ *(\/\/|\*).*$/gm, ""))
  );
  assert.deepEqual(fixed.map(({ file }) => file), []);
});

Deno.test("each command of a package has its script in the build", async () => {
  const script = commandScript(denoJson);
  const modules = [...script.matchAll(/ (_fresh\/server\/\w+\.js)/g)].map(([, path]) => path!);
  // A start prepares before it serves, and "demo" is a start.
  assert.equal(modules.length, commands.length);
  for (const path of modules) await Deno.stat(join(ROOT, path));
});

Deno.test("commands of Docker Compose name services and commands that exist", async () => {
  const composed = await read(["packaging/compose"], /\.yaml$/);
  const services = composed.flatMap(({ text }) =>
    Object.keys(parse(text, { merge: true }).services)
  );
  const named = documents.flatMap(({ file, text }) =>
    [...text.matchAll(
      /docker compose (?:-f \S+ )?run --rm ((?:-\w+ (?:"[^"]*"|\S+) )*)(\S+)(?: ([a-z-]+))?/g,
    )]
      .map(([, , service, name]) => ({ file, service: service!, name }))
  );
  assert.ok(named.length >= 4);
  for (const { file, service, name } of named) {
    assert.ok(services.includes(service), `${file}: ${service}`);
    if (name) assert.ok(commands.includes(name), `${file}: ${name}`);
  }
});
