import assert from "node:assert/strict";
import { Node, Project, type Type } from "@/tests/packages/ts_morph.ts";
import { findPure, runTimeImports } from "@/tests/support/house/pure_files.ts";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Files that pages and calls of the API begin with: they act through use cases alone. */
const EDGES = /^routes\/|operations\.ts$/;

/** Rooms for them: what they share, sentences, and what needs neither rights nor the store. */
const FOR_EDGES = /^lib\/(web|i18n|base|http|access\/seen\/once_for_seen)\b/;

/** The list of all operations. */
const CONTENTS = "lib/web/api/operations.ts";

/** First parameters of use cases. All scopes extend `Scope`. */
const SCOPE = { file: "lib/access/scope.ts", name: "Scope" };
const PUBLIC = { file: "lib/access/deps.ts", name: "PublicDeps" };

/**
 * Returns what routes and operations have of `lib/` besides use cases: the store, and imports of
 * anything but functions whose first parameter is a scope or `PublicDeps`, and objects of such
 * functions.
 */
function breaches(sources: Sources): string[] {
  const imports = runTimeImports(sources);
  const pure = findPure(sources, imports);
  const project = projectOf(sources);
  const wrong: string[] = [];
  for (const [file, its] of imports) {
    if (!EDGES.test(file) || file === CONTENTS) continue;
    if (/\.kv\b|\bkv[,:} ]/.test(sources.get(file)!)) wrong.push(`${file}: uses the store`);
    for (const { specifier, to, names } of its) {
      const isPackage = !/^(\.|@\/)/.test(specifier);
      if (isPackage || !to.startsWith("lib/") || pure.has(to) || FOR_EDGES.test(to)) continue;
      const exported = project.getSourceFileOrThrow(`/${to}`).getExportedDeclarations();
      for (const name of names.includes("*") ? exported.keys() : names) {
        const isFine = exported.get(name)?.every((one) => isOnlyType(one) || isUseCase(one));
        if (!isFine) wrong.push(`${file}: ${name} of ${to} takes no scope`);
      }
    }
  }
  return wrong;
}

/** The types of `lib/`. Those of packages are unknown in it, which makes it fast. */
function projectOf(sources: Sources): Project {
  const compilerOptions = { allowImportingTsExtensions: true, noEmit: true, strict: true };
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions });
  for (const [file, text] of sources) {
    const isTest = /_test\.tsx?$/.test(file);
    if (file.startsWith("lib/") && !isTest) project.createSourceFile(`/${file}`, text);
  }
  return project;
}

const isOnlyType = (node: Node) =>
  Node.isInterfaceDeclaration(node) || Node.isTypeAliasDeclaration(node);

function isUseCase(node: Node): boolean {
  const isOne = (type: Type): boolean => {
    if (type.isLiteral()) return true;
    const calls = [...type.getCallSignatures(), ...type.getConstructSignatures()];
    if (calls.length > 0) {
      return calls.every((call) => {
        const first = call.getParameters()[0]?.getTypeAtLocation(node);
        return first !== undefined && (isScope(first) || isPublic(first));
      });
    }
    const members = type.getProperties();
    return members.length > 0 && members.every((member) => isOne(member.getTypeAtLocation(node)));
  };
  return isOne(node.getType());
}

/** Whether it is a scope by its declaration. A type that merely looks like one is not. */
const isScope = (type: Type): boolean =>
  type.getProperty("actor")?.getDeclarations()
    .some((member) => isNamed(member.getParent(), SCOPE)) ?? false;

const isPublic = (type: Type): boolean =>
  type.isIntersection()
    ? type.getIntersectionTypes().some(isPublic)
    : type.getSymbol()?.getDeclarations().some((one) => isNamed(one, PUBLIC)) ?? false;

const isNamed = (node: Node | undefined, { file, name }: typeof SCOPE): boolean =>
  Node.isInterfaceDeclaration(node) && node.getName() === name &&
  node.getSourceFile().getFilePath() === `/${file}`;

Deno.test("routes and operations call only functions that take a scope, or are open to anyone", async () => {
  assert.deepEqual(breaches(await readSources(/^(lib|routes)\//)), []);
});

Deno.test("a route that calls anything else is found, however it imports it", () => {
  const service = `
    import "node:path";
    import type { Deps, PublicDeps } from "../access/deps.ts";
    import type { ProjectScope, Scope } from "../access/scope.ts";
    type Manager = ProjectScope<"manage">;
    export const list = ({ deps }: ProjectScope, id: number) => [deps, id];
    export async function save(scope: Manager, _body: string) { await list(scope, 1); }
    export const signIn = (deps: PublicDeps & { more: string }) => deps.kv;
    export const kit = { list, save };
    export const MAX = 5;
    export interface Row { id: number }
    export const read = (kv: string, id: number) => [kv, id];
    export const remove = (deps: Deps) => deps.kv;
    export const alike = (scope: { deps: Deps; actor: string }) => scope;
    export const unknown = (scope: Missing) => scope;
    export const sweep = () => 1;
    export const rows = { list, read };
    export class Rows { constructor(readonly scope: string) {} }
    export function twice(scope: Scope): void;
    export function twice(kv: string): void;
    export function twice(_: unknown) {}
  `;
  const lib = {
    "lib/access/deps.ts": "export interface Deps { kv: string }\n" +
      "export interface PublicDeps extends Deps {}",
    "lib/access/scope.ts": "export interface Scope { deps: string; actor: string }\n" +
      "export interface ProjectScope<P = never> extends Scope { can: P }",
    "lib/keys/service.ts": service,
    "lib/keys/pure.ts": "export const nameOf = (id: number) => String(id);",
    "lib/web/page.ts": 'import "node:path";\nexport const show = (name: string) => name;',
  };
  const breachesOf = (text: string, file = "routes/keys.tsx") =>
    breaches(new Map(Object.entries({ ...lib, [file]: text })));
  const importing = (names: string) => `import { ${names} } from "@/lib/keys/service.ts";`;
  assert.deepEqual(breachesOf(importing("list, save, signIn, kit, MAX, type Row")), []);
  assert.deepEqual(breachesOf('import { nameOf } from "@/lib/keys/pure.ts";'), []);
  assert.deepEqual(breachesOf('import { show } from "../lib/web/page.ts";'), []);
  const others = ["read", "remove", "alike", "unknown", "sweep", "rows", "Rows", "twice", "gone"];
  const wrong = (name: string) => `routes/keys.tsx: ${name} of lib/keys/service.ts takes no scope`;
  assert.deepEqual(breachesOf(importing(others.join(", "))), others.map(wrong));
  assert.deepEqual(breachesOf(importing("list, read as list2")), [wrong("read")]);
  const all = others.slice(0, -1).map(wrong).toSorted();
  for (const text of ["import * as keys from ", "const keys = await import("]) {
    const end = text.endsWith("(") ? ");" : ";";
    assert.deepEqual(breachesOf(`${text}"@/lib/keys/service.ts"${end}`).toSorted(), all);
  }
  for (const text of ["await state.deps.kv.get(key)", "const { kv, clock } = state.deps;"]) {
    assert.deepEqual(breachesOf(text), ["routes/keys.tsx: uses the store"]);
  }
  for (const file of ["lib/keys/operations.ts", "lib/web/api/key_operations.ts"]) {
    assert.deepEqual(breachesOf(importing("list"), file), []);
    assert.deepEqual(breachesOf(importing("read"), file), [
      `${file}: read of lib/keys/service.ts takes no scope`,
    ]);
  }
});
