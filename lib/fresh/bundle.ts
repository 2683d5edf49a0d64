import type { Metafile, OutputFile, Plugin, PluginBuild } from "esbuild";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface BundleOptions {
  root: string;
  /** Name of the bundle to the file that it begins with. */
  entries: Record<string, string>;
  target: string | string[];
  buildId: string;
  isDevelopment: boolean;
}

export interface Bundle {
  /** File name to content. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
  /** Name of the bundle to its file name. */
  entries: Map<string, string>;
  /** The sources it was made of, without those of packages. */
  inputs: string[];
}

/** The nearest `deno.json` in or above `root`. */
export async function findDenoJson(root: string): Promise<string> {
  for (let dir = root;; dir = dirname(dir)) {
    const path = join(dir, "deno.json");
    if (await Deno.stat(path).then(() => true, () => false)) return path;
    if (dir === dirname(dir)) throw new Error(`There is no deno.json in ${root} or above.`);
  }
}

/** Makes what browsers load: a bundle for each entry, and chunks of what they share. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  // Only loaded when something is to be built: a start without a build needs none of it.
  const esbuild = await import("esbuild");
  const denoJson = await findDenoJson(options.root);
  const { imports = {} } = JSON.parse(await Deno.readTextFile(denoJson));
  try {
    const result = await esbuild.build({
      entryPoints: options.entries,
      entryNames: "[name]-[hash]",
      chunkNames: "chunk-[hash]",
      absWorkingDir: options.root,
      outdir: ".",
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "browser",
      target: options.target,
      minify: !options.isDevelopment,
      sourcemap: options.isDevelopment ? "linked" : false,
      jsx: "automatic",
      jsxImportSource: "preact",
      define: {
        "process.env.NODE_ENV": JSON.stringify(
          options.isDevelopment ? "development" : "production",
        ),
      },
      logLevel: "silent",
      plugins: [buildIdPlugin(options.buildId), importMapPlugin(imports, dirname(denoJson))],
    });
    return toBundle(options, result.outputFiles, result.metafile);
  } finally {
    await esbuild.stop();
  }
}

function toBundle({ root, entries }: BundleOptions, outputs: OutputFile[], meta: Metafile): Bundle {
  const names = new Map(Object.entries(entries).map(([name, path]) => [path, name]));
  const bundle: Bundle = { files: new Map(), entries: new Map(), inputs: [] };
  for (const { path, contents } of outputs) {
    bundle.files.set(basename(path), contents as Uint8Array<ArrayBuffer>);
  }
  for (const [path, { entryPoint }] of Object.entries(meta.outputs)) {
    const name = entryPoint && names.get(resolve(root, entryPoint));
    if (name) bundle.entries.set(name, basename(path));
  }
  for (const input of Object.keys(meta.inputs)) {
    const path = resolve(root, input);
    if (!path.includes("/node_modules/")) bundle.inputs.push(relative(root, path));
  }
  bundle.inputs.sort();
  return bundle;
}

/** `asset()` knows the build in the browser too. */
function buildIdPlugin(buildId: string): Plugin {
  const path = fileURLToPath(new URL("./build_id.ts", import.meta.url));
  return {
    name: "build-id",
    setup(build) {
      build.onLoad({ filter: /build_id\.ts$/ }, async (args) => {
        if (args.path !== path) return undefined;
        const code = await Deno.readTextFile(path);
        return { contents: code.replace('"dev"', JSON.stringify(buildId)), loader: "ts" };
      });
    },
  };
}

/** Follows the import map of `deno.json`, so that browser and server load the same. */
function importMapPlugin(imports: Record<string, string>, base: string): Plugin {
  return {
    name: "import-map",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async (args) => {
        if (args.pluginData === RESOLVING) return undefined;
        const mapped = mapSpecifier(args.path, imports);
        if (mapped === null) return undefined;
        if (/^[./]/.test(mapped)) return { path: resolve(base, mapped) };
        const path = packagePath(mapped);
        // A package's own imports are its own affair, but for what stands in for another package.
        if (path === args.path && args.importer.includes("/node_modules/")) return undefined;
        return await resolvePackage(build, path, base, args.kind);
      });
    },
  };
}

const RESOLVING = Symbol("resolving");

function resolvePackage(
  build: PluginBuild,
  path: string,
  resolveDir: string,
  kind: "entry-point" | string,
) {
  const isKnown = kind !== "entry-point" && kind !== "url-token";
  return build.resolve(path, {
    resolveDir,
    kind: isKnown ? kind as "import-statement" : "import-statement",
    pluginData: RESOLVING,
  });
}

/** What the import map makes of a specifier; null when it does not speak of it. */
export function mapSpecifier(specifier: string, imports: Record<string, string>): string | null {
  if (Object.hasOwn(imports, specifier)) return imports[specifier];
  if (specifier.startsWith("npm:")) return specifier;
  const keys = Object.keys(imports).sort((a, b) => b.length - a.length);
  for (const key of keys) {
    if (key.endsWith("/") && specifier.startsWith(key)) {
      return imports[key] + specifier.slice(key.length);
    }
    if (imports[key].startsWith("npm:") && specifier.startsWith(key + "/")) {
      return imports[key] + specifier.slice(key.length);
    }
  }
  return null;
}

/** `npm:@scope/name@1.2.3/sub` as `@scope/name/sub`. */
function packagePath(specifier: string): string {
  const [, name, sub = ""] = /^(?:npm:)?\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/
    .exec(specifier) ?? [, specifier];
  return name + sub;
}
