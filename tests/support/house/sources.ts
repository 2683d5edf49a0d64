import { join, posix } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

const SPECIFIERS: Record<string, string> = denoJson.imports;

/** Texts by their path from the root of the project. They exist or are made up. */
export type Sources = Map<string, string>;

/** Reads all TypeScript sources of the project whose path matches. */
export async function readSources(fits = /\.tsx?$/): Promise<Sources> {
  const sources: Sources = new Map();
  for await (const file of walk(ROOT, fits)) {
    if (/\.tsx?$/.test(file)) sources.set(file, await Deno.readTextFile(join(ROOT, file)));
  }
  return sources;
}

export interface Import {
  specifier: string;
  /** Target of the specifier: a path from the root, or a package. */
  to: string;
  /** Imported names, or `*` for all. */
  names: string[];
  /** Whether nothing of it is left at run time. */
  isType: boolean;
  /** Whether it is loaded when the code gets there. */
  isLater: boolean;
}

interface Module {
  imports: Import[];
  /** Names of its exports, without those that `export *` passes on or that are destructured. */
  exports: string[];
}

/** Several tests read all files, which takes seconds. */
const modules = new Map<string, { text: string; module: Module }>();

/** Returns the imports and exports of a file, read by the parser of `deno lint`. */
export function readModule(file: string, text: string): Module {
  const known = modules.get(file);
  if (known?.text === text) return known.module;
  const module = parseModule(file, text);
  modules.set(file, { text, module });
  return module;
}

function parseModule(file: string, text: string): Module {
  const imports: Import[] = [];
  const exports: string[] = [];
  const add = (specifier: string, names: string[], isType: boolean, isLater = false) =>
    imports.push({ specifier, to: resolve(file, specifier), names, isType, isLater });
  visit(file, text, {
    ImportDeclaration({ source, specifiers, importKind }) {
      const names = specifiers.map((one) =>
        one.type === "ImportSpecifier"
          ? nameOf(one.imported)
          : one.type === "ImportDefaultSpecifier"
          ? "default"
          : "*"
      );
      add(source.value, names, importKind === "type");
    },
    ImportExpression({ source }) {
      if (source.type === "Literal") add(String(source.value), ["*"], false, true);
    },
    TSImportType({ argument }) {
      const literal = argument.type === "TSLiteralType" ? argument.literal : argument;
      if (literal.type === "Literal") add(String(literal.value), ["*"], true);
    },
    ExportAllDeclaration: ({ source, exportKind }) =>
      void add(source.value, ["*"], exportKind === "type"),
    ExportDefaultDeclaration: () => void exports.push("default"),
    ExportNamedDeclaration({ source, specifiers, declaration, exportKind }) {
      if (source) {
        add(source.value, specifiers.map(({ local }) => nameOf(local)), exportKind === "type");
      }
      exports.push(...specifiers.map(({ exported }) => nameOf(exported)));
      if (declaration) exports.push(...declaredNames(declaration));
    },
  });
  return { imports, exports };
}

/** Calls the visitor with the nodes of a file. Deno offers this only to tests. */
export function visit(file: string, text: string, visitor: Deno.lint.LintVisitor): void {
  const rules = { visit: { create: () => visitor } };
  Deno.lint.runPlugin({ name: "reader", rules }, file, text);
}

type Declaration = NonNullable<Deno.lint.ExportNamedDeclaration["declaration"]>;

function declaredNames(declaration: Declaration): string[] {
  const ids = declaration.type === "VariableDeclaration"
    ? declaration.declarations.map(({ id }) => id)
    : "id" in declaration
    ? [declaration.id]
    : [];
  return ids.map((id) => id?.type === "Identifier" ? id.name : "(taken apart)");
}

const nameOf = (id: Deno.lint.Identifier | Deno.lint.StringLiteral) =>
  id.type === "Identifier" ? id.name : id.value;

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  const prefix = Object.keys(SPECIFIERS)
    .find((key) => key.endsWith("/") && specifier.startsWith(key));
  const target = prefix
    ? SPECIFIERS[prefix] + specifier.slice(prefix.length)
    : SPECIFIERS[specifier];
  return posix.normalize(target ?? specifier);
}
