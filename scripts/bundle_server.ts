import { readdir } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { aliasesOf } from "../lib/fresh/aliases.ts";

/** Commands of administrators. */
const COMMANDS = [
  "backup",
  "compact",
  "doctor",
  "import",
  "prepare",
  "restore",
  "secret_key",
  "user",
];

/** Folders with components, which Deno compiles. */
const COMPONENT_DIRS = ["components", "islands", "lib", "routes"];

/**
 * Name of the function that completes the path of a module to import. Deno reads and analyzes at
 * the start whatever a module imports by a literal, even if it is imported later or never.
 */
const LATER = "$i_";

const BANNER = `import { createRequire as $createRequire } from "node:module";
const require = $createRequire(import.meta.url), ${LATER} = (name) => \`./\${name}.js\`;`;

/**
 * Bundles the server, its commands and all npm packages into a few scripts in the folder `server`
 * of the output folder. They need neither `deno.json` nor `node_modules`.
 */
export async function bundleServer(root: string, outDir: string): Promise<void> {
  const esbuild = await import("esbuild");
  const config = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  const imports = Object.entries<string>(config.imports);
  // Only the original Fresh comes from a registry of its own.
  const isRemote = ([, target]: [string, string]) => /^(jsr|https?):/.test(target);
  const remote = new Map(imports.filter(isRemote));
  const out = join(outDir, "server");
  const workers = (await readdir(join(root, "lib"), { recursive: true }))
    .filter((path) => path.endsWith("_worker.ts"));
  const modules = [
    ...["serve", ...COMMANDS].map((name) => `scripts/${name}.ts`),
    ...workers.map((path) => join("lib", path)),
  ];
  const compiled = join(outDir, "components");
  await compileComponents(root, compiled);
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: modules.map((path) => ({ in: path, out: basename(path, ".ts") })),
      chunkNames: "chunk-[hash]",
      outdir: out,
      write: false,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "esnext",
      // As Deno resolves packages.
      conditions: ["deno"],
      mainFields: ["main"],
      jsx: "automatic",
      jsxImportSource: "preact",
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      alias: aliasesOf(Object.fromEntries(imports.filter((one) => !isRemote(one))), root),
      define: {
        BUILT_SERVER: '"../_fresh/server.js"',
        "process.env.NODE_ENV": '"production"',
      },
      // Names stay, because stacks and errors contain them.
      minifyWhitespace: true,
      minifySyntax: true,
      sourcemap: "linked",
      sourcesContent: false,
      banner: { js: BANNER },
      logLevel: "silent",
      plugins: [sourcesOf({ root, out, compiled, remote })],
    });
    await Deno.mkdir(out, { recursive: true });
    for (const { path, text } of outputFiles) await Deno.writeTextFile(path, importLater(text));
  } finally {
    await esbuild.stop();
    await Deno.remove(compiled, { recursive: true });
  }
}

/** Hides the paths of later imports from Deno. The text keeps its length, for the source map. */
const importLater = (text: string): string =>
  text.replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, `import(${LATER}("$1"))`);

/** Compiles components as `deno run` does, because esbuild knows only slower ways to do it. */
async function compileComponents(root: string, to: string): Promise<void> {
  const paths: string[] = [];
  for (const dir of COMPONENT_DIRS) {
    for (const name of await readdir(join(root, dir), { recursive: true })) {
      if (/(?<!_test)\.tsx$/.test(name)) paths.push(join(dir, name));
    }
  }
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["transpile", "--quiet", "--source-map", "inline", "--outdir", to, ...paths],
    cwd: root,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

interface Places {
  root: string;
  /** Folder of the bundle. */
  out: string;
  /** Folder of the compiled components. */
  compiled: string;
  /** Addresses of packages that stay outside of the bundle. */
  remote: Map<string, string>;
}

/** Loads modules so that they find their files from the place of the bundle. */
function sourcesOf({ root, out, compiled, remote }: Places): Plugin {
  return {
    name: "sources",
    setup(build) {
      build.onResolve({ filter: /^[^:]+$/ }, ({ path }) => {
        // Only npm packages may name modules of Node.js without "node:".
        const outside = isBuiltin(path) ? `node:${path}` : remote.get(path);
        return outside ? { path: outside, external: true } : undefined;
      });
      build.onLoad({ filter: /\.[jt]sx?$/ }, async ({ path }) => {
        if (path.includes("/node_modules/")) return;
        const component = join(compiled, relative(root, path)).replace(/\.tsx$/, ".js");
        const isCompiled = path.endsWith(".tsx") &&
          await Deno.stat(component).then(() => true, () => false);
        const text = await Deno.readTextFile(isCompiled ? component : path);
        return {
          contents: placed(text, relative(out, path)),
          loader: isCompiled ? "js" : path.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}

/**
 * Gives a module its own place again, from the bundle's: `path` is the way from there. Modules
 * that are started by their path are in the bundle.
 */
const placed = (text: string, path: string): string =>
  text.replaceAll(
    /new URL\("\.\/(\w+)\.ts", import\.meta\.url\)|\bimport\.meta\.(url|dirname)\b/g,
    (_, entry, property) => {
      if (entry) return `new URL("./${entry}.js", import.meta.url)`;
      const url = (to: string) => `new URL(${JSON.stringify(to)}, import.meta.url)`;
      return property === "url" ? `${url(path)}.href` : `${url(dirname(path))}.pathname`;
    },
  );
