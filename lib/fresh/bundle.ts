import { basename, dirname, join, resolve } from "node:path";

export interface BundleOptions {
  root: string;
  /** The files that pages load. */
  entries: string[];
  target: string | string[];
  buildId: string;
  isDevelopment: boolean;
}

export interface Bundle {
  /** File name to content. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
  /** Path of an entry to the name of its file. */
  names: Map<string, string>;
  /** The sources it was made of, below `root`, without those of packages. */
  inputs: string[];
}

/** Makes what browsers load: a file for each entry, and chunks of what they share. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const { root, entries, target, buildId, isDevelopment } = options;
  // Only loaded when something is to be built: a start without a build needs none of it.
  const esbuild = await import("esbuild");
  try {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: entries,
      entryNames: "[name]-[hash]",
      chunkNames: "chunk-[hash]",
      absWorkingDir: root,
      outdir: ".",
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      format: "esm",
      target,
      minify: !isDevelopment,
      sourcemap: isDevelopment && "linked",
      jsx: "automatic",
      jsxImportSource: "preact",
      alias: await readAliases(root),
      define: {
        FRESH_BUILD_ID: JSON.stringify(buildId),
        "process.env.NODE_ENV": isDevelopment ? '"development"' : '"production"',
      },
      logLevel: "silent",
    });
    const names = new Map<string, string>();
    for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
      if (entryPoint) names.set(resolve(root, entryPoint), basename(path));
    }
    const files: Bundle["files"] = new Map();
    for (const { path, contents } of outputFiles) {
      files.set(basename(path), contents as Uint8Array<ArrayBuffer>);
    }
    const inputs = Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules/"));
    return { files, names, inputs };
  } finally {
    await esbuild.stop();
  }
}

/** The nearest `deno.json` in or above `root`. */
export async function findDenoJson(root: string): Promise<string> {
  for (let dir = root;; dir = dirname(dir)) {
    const path = join(dir, "deno.json");
    if (await Deno.stat(path).then(() => true, () => false)) return path;
    if (dir === dirname(dir)) throw new Error(`There is no deno.json in ${root} or above.`);
  }
}

async function readAliases(root: string): Promise<Record<string, string>> {
  const path = await findDenoJson(root);
  return aliasesOf(JSON.parse(await Deno.readTextFile(path)).imports ?? {}, dirname(path));
}

/** What the bundler must be told of an import map, so that browser and server load the same. */
export function aliasesOf(imports: Record<string, string>, base: string): Record<string, string> {
  const aliases: Record<string, string> = {};
  for (const [specifier, target] of Object.entries(imports)) {
    // An alias is one for what lies below it, too.
    const name = specifier.replace(/\/$/, "");
    const npm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(target);
    const path = npm ? npm[1] + (npm[2] ?? "") : resolve(base, target);
    if (path !== name) aliases[name] = path;
  }
  return aliases;
}
