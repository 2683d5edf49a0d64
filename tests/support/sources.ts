import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../../deno.json" with { type: "json" };
import { walk } from "./walk.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SPECIFIERS: Record<string, string> = denoJson.imports;

/** Texts by their path from the root of the project: those that there are, or made up. */
export type Sources = Map<string, string>;

/** All sources of the project in TypeScript whose path fits. */
export async function readSources(fits = /\.tsx?$/): Promise<Sources> {
  const sources: Sources = new Map();
  for await (const file of walk(ROOT, fits)) {
    if (/\.tsx?$/.test(file)) sources.set(file, await Deno.readTextFile(join(ROOT, file)));
  }
  return sources;
}

export interface Import {
  specifier: string;
  /** What the specifier leads to: a path from the root, or a package. */
  to: string;
  /** The names that it takes there; `*` for whatever there is. */
  names: string[];
  /** Nothing is left of it at run time. */
  isType: boolean;
}

interface Module {
  imports: Import[];
  /** The names of its exports, but not what `export *` passes on, or what is taken apart there. */
  exports: string[];
}

/** What a file imports and exports, as the parser of `deno lint` reads it. */
export function readModule(file: string, text: string): Module {
  const imports: Import[] = [];
  const exports: string[] = [];
  const add = (specifier: string, names: string[], isType: boolean) =>
    imports.push({ specifier, to: resolve(file, specifier), names, isType });
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
      if (source.type === "Literal") add(String(source.value), ["*"], false);
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

/** Calls the visitor with the nodes of a file. Only tests may ask Deno for it. */
function visit(file: string, text: string, visitor: Deno.lint.LintVisitor): void {
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
