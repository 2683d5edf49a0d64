import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLE_PATH, type Manifest } from "./build_cache.ts";
import { aliasesOf } from "./aliases.ts";

/** Files and folders of a build, as paths below `root`. */
export interface BuildConfig {
  root: string;
  /** The module that exports `app`. */
  serverEntry: string;
  outDir: string;
  staticDir: string[];
  islandDir: string;
  routeDir: string;
  /** Browsers that the bundles must support, in esbuild's notation. */
  target: string;
}

interface Made {
  manifest: Manifest;
  /** Content by path below the root. */
  bundles: Map<string, Uint8Array<ArrayBuffer>>;
}

const OWN_DIR = fileURLToPath(new URL(".", import.meta.url));

const SOURCE = /(?<![._]test)\.[tj]sx?$/;
/**
 * Folders such as `(_components)` contain no routes. `(_islands)` contains islands of the folder's
 * pages.
 */
const NO_ROUTE = /(^|\/)\(_/;
const ISLAND = /(^|\/)\(_islands\)\//;

/**
 * Bundles islands. Returns the bundles and a manifest of everything that an app loads and serves.
 */
export async function make(config: BuildConfig, isDevelopment: boolean): Promise<Made> {
  const { root, outDir, routeDir, islandDir } = config;
  const sources = async (dir: string) =>
    (await listFiles(join(root, dir))).filter((path) => SOURCE.test(path));
  const below = await sources(routeDir);
  const islands = [
    ...(await sources(islandDir)).map((path) => join(islandDir, path)),
    ...below.filter((path) => ISLAND.test(path)).map((path) => join(routeDir, path)),
  ];
  const { files, buildId } = await findStaticFiles(config);
  const client = relative(root, join(OWN_DIR, "client.ts"));
  const entries = [client, ...islands];
  const addresses = new Map<string | undefined, string>();
  const bundles: Made["bundles"] = new Map();
  const { outputFiles, metafile } = await bundle(config, entries, buildId, isDevelopment);
  for (const { path, contents } of outputFiles) {
    const name = basename(path);
    const address = BUNDLE_PATH + name;
    files[address] = join(outDir, "static", name);
    bundles.set(files[address], contents as Uint8Array<ArrayBuffer>);
    addresses.set(metafile.outputs[name].entryPoint, address);
  }
  const manifest = {
    buildId,
    clientEntry: addresses.get(client)!,
    islands: islands.map((path) => ({ path, file: addresses.get(path)! })),
    routeDir,
    routes: below.filter((path) => !NO_ROUTE.test(path)),
    files,
  };
  return { manifest, bundles };
}

/**
 * Finds the static files and computes the build's id. Bundles do not count: their URLs depend on
 * their own content.
 */
async function findStaticFiles({ root, staticDir }: BuildConfig) {
  const files: Manifest["files"] = {};
  const hash = createHash("sha256");
  for (const dir of staticDir) {
    for (const name of await listFiles(join(root, dir))) {
      if (/(^|\/)\.(?!well-known\/)/.test(name)) continue;
      const path = join(dir, name);
      if (files["/" + name]) continue; // The first folder that has a file wins.
      files["/" + name] = path;
      hash.update(`${name}\0`).update(await Deno.readFile(join(root, path)));
    }
  }
  return { files, buildId: hash.digest("hex").slice(0, 16) };
}

/** Bundles the scripts for browsers: a file for each entry point, and chunks of shared code. */
async function bundle(
  { root, target }: BuildConfig,
  entryPoints: string[],
  buildId: string,
  isDevelopment: boolean,
) {
  // Loaded only for a build, because a start without a build does not need it.
  const esbuild = await import("esbuild");
  const { imports } = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  try {
    return await esbuild.build({
      entryPoints,
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
      alias: aliasesOf(imports, root),
      define: {
        FRESH_BUILD_ID: JSON.stringify(buildId),
        "process.env.NODE_ENV": isDevelopment ? '"development"' : '"production"',
      },
      logLevel: "silent",
    });
  } finally {
    await esbuild.stop();
  }
}

/** Lists the paths of all files below `dir`, relative to it and sorted. */
async function listFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name))).sort();
}

/** Writes the files that `server.js` serves to the output folder. */
export async function writeBuild(
  { root, outDir, serverEntry }: BuildConfig,
  { manifest, bundles }: Made,
): Promise<void> {
  const out = join(root, outDir);
  await Deno.mkdir(join(out, "static"), { recursive: true });
  for (const [path, content] of bundles) await Deno.writeFile(join(root, path), content);
  await Deno.writeTextFile(join(out, "manifest.json"), JSON.stringify(manifest, null, 1));
  const fromOut = (path: string) => JSON.stringify(relative(out, path));
  await Deno.writeTextFile(
    join(out, "server.js"),
    `// Written by the build: changes to this file are lost.
import { fileURLToPath } from "node:url";
import { loadBuild } from ${fromOut(join(OWN_DIR, "build_cache.ts"))};
import { app } from ${fromOut(join(root, serverEntry))};
import manifest from "./manifest.json" with { type: "json" };

const root = fileURLToPath(new URL(${fromOut(root)}, import.meta.url));
app.buildCache = await loadBuild(root, manifest);

export default { fetch: app.handler() };
`,
  );
}
