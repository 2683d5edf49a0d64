import assert from "node:assert/strict";
import { Node, Project, type Type } from "@/tests/packages/ts_morph.ts";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Functions that pass no result on, whatever their types say. */
const CALLERS = /\b(setTimeout|setInterval|queueMicrotask|addEventListener|addSignalListener)$/;

/**
 * Returns the places where a promise is dropped, so that nobody learns that it failed, and Deno
 * would end the process. A promise is awaited, returned, stored, or ends in a handler of errors.
 * `void` does not handle it.
 */
function dropped(sources: Sources, deno: string): string[] {
  const found: string[] = [];
  for (const file of projectOf(sources, deno).getSourceFiles()) {
    const path = file.getFilePath().slice(1);
    if (!sources.has(path)) continue;
    file.forEachDescendant((node) => {
      if (isDropped(node)) {
        const [line] = node.getText().split("\n", 1);
        found.push(`${path}:${node.getStartLineNumber()}: ${line}`);
      }
    });
  }
  return found;
}

/** The types of all sources and of Deno. Those of packages are unknown, which makes it fast. */
function projectOf(sources: Sources, deno: string): Project {
  const compilerOptions = {
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
    paths: { "@/*": ["/*"] },
  };
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions });
  project.createSourceFile("/deno.d.ts", deno);
  for (const [file, text] of sources) project.createSourceFile(`/${file}`, text);
  return project;
}

async function readDenoTypes(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["types"] }).output();
  return new TextDecoder().decode(stdout).replace(/^\/\/\/ <reference.*$/gm, "");
}

function isDropped(node: Node): boolean {
  if (Node.isExpressionStatement(node)) return isUnhandled(node.getExpression());
  if (Node.isVoidExpression(node)) return isUnhandled(node.getExpression());
  return Node.isExpression(node) && isUnheardCallback(node);
}

/** Whether the value of an expression is a promise that no one waits for. */
function isUnhandled(node: Node): boolean {
  if (Node.isAwaitExpression(node) || Node.isVoidExpression(node)) return false;
  if (Node.isBinaryExpression(node) && /^[^=!<>]*=$/.test(node.getOperatorToken().getText())) {
    return false;
  }
  return isPromise(node.getType()) && !hasHandler(node);
}

const isPromise = (type: Type): boolean =>
  type.isUnion()
    ? type.getUnionTypes().some(isPromise)
    : !type.isAny() && type.getProperty("then") !== undefined &&
      type.getProperty("catch") !== undefined;

/** Whether a promise ends in `catch`, or in `then` with two functions. */
function hasHandler(node: Node): boolean {
  if (!Node.isCallExpression(node)) return false;
  const callee = node.getExpression();
  if (!Node.isPropertyAccessExpression(callee)) return false;
  const count = node.getArguments().length;
  const name = callee.getName();
  if (name === "finally") return hasHandler(callee.getExpression());
  return name === "catch" ? count > 0 : name === "then" && count > 1;
}

/** Whether a function that returns a promise is given to someone who expects no answer. */
function isUnheardCallback(node: Node): boolean {
  const given = givenFunction(node);
  if (!given?.getType().getCallSignatures().some((call) => isPromise(call.getReturnType()))) {
    return false;
  }
  // A function that returns what it calls may hand over a promise that ends in a handler.
  if (Node.isArrowFunction(given) && hasHandler(given.getBody())) return false;
  const call = node.getParent();
  if (Node.isCallExpression(call) && CALLERS.test(call.getExpression().getText())) return true;
  const wanted = Node.isExpression(node) ? node.getContextualType()?.getNonNullableType() : null;
  const types = wanted?.isUnion() ? wanted.getUnionTypes() : wanted ? [wanted] : [];
  const answers = types.flatMap((type) =>
    type.getCallSignatures().map((signature) => signature.getReturnType())
  );
  return answers.length > 0 && answers.every((type) => type.isVoid());
}

/** Returns a function that is an argument, or the value of a member of an object. */
function givenFunction(node: Node): Node | null {
  const isFunction = Node.isArrowFunction(node) || Node.isFunctionExpression(node);
  if (!isFunction && !Node.isIdentifier(node) && !Node.isPropertyAccessExpression(node)) {
    return null;
  }
  const parent = node.getParent();
  const isArgument = (Node.isCallExpression(parent) || Node.isNewExpression(parent)) &&
    parent.getArguments().includes(node);
  const isMember = Node.isPropertyAssignment(parent) && parent.getInitializer() === node;
  return isArgument || isMember ? node : null;
}

Deno.test("no promise is left to fail without anyone noticing", async () => {
  const sources = await readSources(/^(main\.ts|(lib|routes|islands|components|scripts|tools)\/)/);
  for (const file of sources.keys()) if (/_test\.tsx?$/.test(file)) sources.delete(file);
  assert.deepEqual(dropped(sources, await readDenoTypes()), []);
});

Deno.test("a dropped promise is found, however it is dropped", () => {
  const head = `
    const say = async (text: string) => { if (!text) throw new Error(); };
    const tell = (listener: { take(text: string): void }, done: () => void) => [listener, done];
    const signal = new AbortController().signal;
  `;
  const wrong = [
    'say("");',
    'void say("");',
    'say("").then(() => 1);',
    'say("").finally(() => 1);',
    'true && say("");',
    'setTimeout(() => say(""), 1);',
    "setTimeout(say, 1);",
    "setInterval(async () => {}, 1);",
    'signal.addEventListener("abort", async () => {});',
    '[""].forEach(say);',
    "tell({ take: say }, () => {});",
    "tell({ take() {} }, async () => {});",
    "new Promise<void>(async (done) => done()).catch(() => {});",
  ];
  const right = [
    'say("").catch(() => {});',
    'say("").then(() => 1, () => 2);',
    'say("").catch(() => {}).finally(() => 1);',
    'const said = say(""); said.catch(() => {});',
    'let said; said = say("");',
    'export const all = Promise.all([say("")]);',
    'export const f = async () => { await say(""); return say(""); };',
    'setTimeout(() => say("").catch(() => {}), 1);',
    '[""].map(say).at(0)?.catch(() => {});',
    "tell({ take: () => {} }, () => {});",
  ];
  const files = [...wrong, ...right].map((
    text,
    n,
  ) => [`lib/a${n + 10}.ts`, `export {};\n${head}${text}`]);
  const found = dropped(new Map(files as [string, string][]), "");
  assert.deepEqual(
    found.map((place) => place.split(":", 1)[0]),
    wrong.map((_, n) => `lib/a${n + 10}.ts`),
    found.join("\n"),
  );
});
