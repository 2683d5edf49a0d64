import { readdir } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { aliasesOf } from "../lib/fresh/aliases.ts";

/** Commands of administrators. */
const COMMANDS = [
  "backup",
  "compact",
  "config",
  "doctor",
  "import",
  "prepare",
  "restore",
  "runner",
  "secret_key",
  "user",
  "maintenance",
];

const SERVER = "scripts/serve.ts";

/** Name of a module that imports the core. */
const CORE = "core:";

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
  const others = [
    ...COMMANDS.map((name) => `scripts/${name}.ts`),
    ...workers.map((path) => join("lib", path)),
  ];
  const compiled = join(outDir, "components");
  await compileComponents(root, compiled);
  const places = { root, out, compiled, remote };
  const options = {
    absWorkingDir: root,
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
  } satisfies BuildOptions;
  const bundle = (paths: string[], core?: Core, others: Partial<typeof UNREAD> = {}) =>
    esbuild.build({
      ...options,
      ...others,
      entryPoints: paths.map((path) => ({ in: path, out: basename(path, ".ts") })),
      metafile: true,
      plugins: [sourcesOf(places, core)],
    });
  try {
    const core = findCore((await bundle([SERVER], undefined, UNREAD)).metafile);
    // Commands share nothing with the server's scripts, which would become many small ones.
    const made = [await bundle([SERVER], core), await bundle(others)];
    await Deno.mkdir(out, { recursive: true });
    for (const { path, text } of made.flatMap(({ outputFiles }) => outputFiles)) {
      const write = path.endsWith(".map") ? linesOf : importLater;
      await Deno.writeTextFile(path, write(text));
    }
  } finally {
    await esbuild.stop();
    await Deno.remove(compiled, { recursive: true });
  }
}

/** Hides the paths of later imports from Deno. The text keeps its length, for the source map. */
const importLater = (text: string): string =>
  text.replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, `import(${LATER}("$1"))`);

/**
 * Leaves one position per line of a source in a source map. Deno loads the map of each script at
 * the start, and a position takes 30 bytes.
 */
function linesOf(text: string): string {
  const map = JSON.parse(text);
  let last = "";
  const mappings = decode(map.mappings).map((positions) =>
    positions.filter(([, source, line]) => {
      const place = `${source}:${line}`;
      const isNew = place !== last;
      last = place;
      return isNew;
    }).map((position) => position.slice(0, 4) as SourceMapSegment)
  );
  return JSON.stringify({ ...map, names: [], mappings: encode(mappings) });
}

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

/** Modules that each start loads. They become one script, because each script costs memory. */
interface Core {
  modules: string[];
  /** Modules that the core does not contain, and that are imported later. */
  later: Set<string>;
}

/**
 * Finds what the server and the modules that it imports first have in common with all others. The
 * bundler joins modules that the same modules need, so each of those imports the whole core.
 */
function findCore({ inputs }: Metafile): Core {
  const importsOf = (path: string, isLater: boolean) =>
    inputs[path].imports.filter(({ kind, external }) =>
      !external && (kind === "dynamic-import") === isLater
    ).map((one) => one.path).filter((one) => !one.includes("node_modules/"));
  const starters = [SERVER, ...importsOf(SERVER, true)];
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    importsOf(path, false).forEach(add);
  };
  starters.forEach(add);
  const later = new Set([
    ...starters,
    ...Object.keys(inputs).flatMap((path) => importsOf(path, true)),
  ]);
  return { modules: [...found].filter((path) => !starters.includes(path)), later };
}

/** Saves half of the work on a bundle of which only the list of its own modules is read. */
const UNREAD = { packages: "external", sourcemap: false } satisfies BuildOptions;

interface Places {
  root: string;
  /** Folder of the bundle. */
  out: string;
  /** Folder of the compiled components. */
  compiled: string;
  /** Addresses of packages that stay outside of the bundle. */
  remote: Map<string, string>;
}

/** Matches these names. The bundler asks a plugin only about what its filter matches. */
const anyOf = (names: string[]) => new RegExp(`^(${names.map(RegExp.escape).join("|")})$`);

/** Loads modules so that they find their files from the place of the bundle. */
function sourcesOf({ root, out, compiled, remote }: Places, core?: Core): Plugin {
  return {
    name: "sources",
    setup(build) {
      // Only npm packages may name modules of Node.js without "node:".
      const outside = [...remote.keys(), ...builtinModules.filter((name) => !name.includes(":"))];
      build.onResolve({ filter: anyOf(outside) }, ({ path }) => ({
        path: remote.get(path) ?? `node:${path}`,
        external: true,
      }));
      build.onResolve({ filter: /^core:$/ }, () => ({ path: CORE, namespace: CORE }));
      build.onLoad({ filter: /./, namespace: CORE }, () => ({
        contents: core!.modules.map((path) => `import "./${path}";`).join("\n"),
        resolveDir: root,
      }));
      // The only script of the project itself is Fresh's build beside the bundle.
      const own = new RegExp(`\\.tsx?$|${anyOf([`${out}.js`]).source}`);
      build.onLoad({ filter: own }, async ({ path }) => {
        if (path.includes("/node_modules/")) return;
        const component = join(compiled, relative(root, path)).replace(/\.tsx$/, ".js");
        const isCompiled = path.endsWith(".tsx") &&
          await Deno.stat(component).then(() => true, () => false);
        const text = await Deno.readTextFile(isCompiled ? component : path);
        const loader = isCompiled ? "js" : path.endsWith("x") ? "tsx" : "ts";
        const script = placed(text, relative(out, path));
        // At the end of the text, whose lines stay where they are.
        const after = core?.later.has(relative(root, path)) ? `\nimport "${CORE}";` : "";
        return { contents: (loader === "tsx" ? script : escaped(script)) + after, loader };
      });
    },
  };
}

/**
 * Escapes letters outside ASCII. esbuild leaves them in regular expressions, and V8 stores a script
 * with a single one in two bytes per character.
 */
const escaped = (script: string): string =>
  script.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

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
