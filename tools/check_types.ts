import { readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import config from "../deno.json" with { type: "json" };
import typescript from "../tests/packages/typescript.ts";
import { ROOT } from "./test_modules.ts";

const PACKAGES = join(ROOT, "node_modules", ".deno");
const FOLDER = join(ROOT, "node_modules", ".types");
const SOURCES = ["components", "islands", "lib", "routes", "scripts", "tests", "tools", "*.ts"];

/** Path of a specifier, such as "npm:@types/node@26.6.6" or "npm:typescript@7.0.2/package.json". */
function pathOf(specifier: string): string {
  const [, name, version, file] = /^npm:(.+)@([^/]+)(.*)$/.exec(specifier)!;
  return join(PACKAGES, `${name.replace("/", "+")}@${version}`, "node_modules", name, file);
}

/** Returns where the specifiers that only tests use lead to, which are not in `deno.json`. */
async function pathsOfTests(): Promise<Record<string, string[]>> {
  const paths: Record<string, string[]> = {};
  const directory = join(ROOT, "tests", "packages");
  for (const name of (await readdir(directory)).filter((name) => name.endsWith(".ts"))) {
    const text = await Deno.readTextFile(join(directory, name));
    for (
      const [, types, from] of text.matchAll(
        /(?:@ts-types="(.+)"\n.*)?(?:from|import) "(npm:[^"]+)"/g,
      )
    ) {
      paths[from] = [pathOf(types ?? from)];
    }
  }
  return paths;
}

/** Returns the types of Deno, without those of which browsers have more. */
async function denoTypes(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["types"] }).output();
  return new TextDecoder().decode(stdout).replace(/^declare var FormData: \{[^}]*\};?$/m, "");
}

/** Writes what the compiler needs, and returns the path of its settings. */
async function writeSettings(library: string): Promise<string> {
  const packages = await readdir(PACKAGES);
  const node = packages.find((name) => name.startsWith("@types+node@"))!;
  const { "npm:scslre@0.3.0": [ambient], ...paths } = await pathsOfTests();
  const imports = Object.entries(config.imports)
    .filter(([from, to]) => to.startsWith("./") || /^react($|[-/])/.test(from))
    .map(([from, to]) =>
      from.endsWith("/")
        ? [`${from}*`, [`${ROOT}*`]]
        : [from, [to.startsWith("./") ? join(ROOT, to) : pathOf(to)]]
    );
  const settings = {
    compilerOptions: {
      ...{ strict: true, noImplicitOverride: true, verbatimModuleSyntax: true },
      ...{ noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
      ...{ module: "esnext", moduleResolution: "bundler", moduleDetection: "force" },
      ...{ jsx: "react-jsx", jsxImportSource: "preact", target: "esnext", lib: ["esnext"] },
      ...{ types: ["node"], typeRoots: [join(PACKAGES, node, "node_modules", "@types")] },
      paths: { ...Object.fromEntries(imports), ...paths },
    },
    files: [
      join(FOLDER, "deno.d.ts"),
      // After those of Deno, because the first declaration of a variable counts.
      ...["", ".iterable", ".asynciterable"].map((name) => join(library, `lib.dom${name}.d.ts`)),
      join(ambient, "index.d.ts"),
    ],
    include: SOURCES.map((path) => join(ROOT, path)),
  };
  await Deno.mkdir(FOLDER, { recursive: true });
  // The types of this package are those of a module of its plain name.
  const alias = 'declare module "npm:scslre@0.3.0" { export * from "scslre"; }\n';
  await Deno.writeTextFile(join(FOLDER, "deno.d.ts"), await denoTypes() + alias);
  const path = join(FOLDER, "tsconfig.json");
  await Deno.writeTextFile(path, JSON.stringify(settings, null, 2));
  return path;
}

/**
 * Checks types with TypeScript's native compiler, which takes a quarter of the CPU. Returns the
 * errors. `deno check` has the last word, because its version of TypeScript is another one.
 */
export async function checkTypes(): Promise<string> {
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  const library = join(pathOf(`npm:${platform}@${typescript.version}`), "lib");
  const args = ["--project", await writeSettings(library), "--pretty", "--singleThreaded"];
  const command = new Deno.Command(join(library, "tsc"), { args, cwd: ROOT, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  return success ? "" : output || "The compiler failed without an error.\n";
}
