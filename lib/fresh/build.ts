import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLE_PATH, isSpecial, type Manifest } from "./build_cache.ts";
import { bundle } from "./bundle.ts";

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
  const { root, target, outDir, routeDir, islandDir } = config;
  const sources = async (dir: string) =>
    (await listFiles(join(root, dir))).filter((path) => SOURCE.test(path));
  const below = await sources(routeDir);
  const islands = [
    ...(await sources(islandDir)).map((path) => join(islandDir, path)),
    ...below.filter((path) => ISLAND.test(path)).map((path) => join(routeDir, path)),
  ];
  const { files, buildId } = await findStaticFiles(config);
  const client = relative(root, join(OWN_DIR, "client.ts"));
  const scripts = await bundle({ root, target, client, islands, buildId, isDevelopment });
  const bundles: Made["bundles"] = new Map();
  for (const [name, content] of scripts.files) {
    files[BUNDLE_PATH + name] = join(outDir, "static", name);
    bundles.set(files[BUNDLE_PATH + name], content);
  }
  const manifest = {
    buildId,
    clientEntry: BUNDLE_PATH + scripts.client,
    islands: scripts.islands.map(({ path, name, prefix }) => ({
      path,
      file: BUNDLE_PATH + name,
      prefix,
    })),
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
  const { islands, routes, routeDir } = manifest;
  const atStart = [
    ...islands.map(({ path }) => path),
    ...routes.filter(isSpecial).map((path) => join(routeDir, path)),
  ];
  const later = routes.filter((path) => !isSpecial(path)).map((path) => join(routeDir, path));
  const from = (path: string) => fromOut(join(root, path));
  const entry = (path: string, value: string) => `  ${JSON.stringify(path)}: () => ${value},`;
  await Deno.writeTextFile(
    join(out, "server.js"),
    `// Written by the build: changes to this file are lost.
import { fileURLToPath } from "node:url";
import { loadBuild } from ${fromOut(join(OWN_DIR, "build_cache.ts"))};
import { app } from ${from(serverEntry)};
import manifest from "./manifest.json" with { type: "json" };
${atStart.map((path, n) => `import * as m${n} from ${from(path)};`).join("\n")}

const modules = {
${atStart.map((path, n) => entry(path, `m${n}`)).join("\n")}
${later.map((path) => entry(path, `import(${from(path)})`)).join("\n")}
};
const root = fileURLToPath(new URL(${fromOut(root)}, import.meta.url));
app.buildCache = await loadBuild(root, manifest, { load: (path) => modules[path]() });

export default { fetch: app.handler() };
`,
  );
}
