import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest, StaticFile } from "./build_cache.ts";
import { bundle, findDenoJson } from "./bundle.ts";
import { crawl, listFiles } from "./crawl.ts";
import type { ResolvedBuildConfig } from "./dev.ts";

/** Where the bundles are served, below the base path. */
const BUNDLE_PATH = "/_fresh/js/";
const OWN_DIR = fileURLToPath(new URL(".", import.meta.url));

type Sources = Pick<Manifest, "routes" | "files"> & { islands: string[] };

interface Made {
  manifest: Manifest;
  /** Path to content. */
  bundles: Map<string, Uint8Array<ArrayBuffer>>;
  /** The sources that were bundled. */
  inputs: string[];
}

/** Builds into the out folder what `server.js` there serves, unless it is there already. */
export async function buildToDisk(config: ResolvedBuildConfig): Promise<void> {
  const { root, outDir } = config;
  const sources = await findSources(config);
  const recordPath = join(outDir, "build.json");
  const { key, inputs } = await readRecord(recordPath);
  if (key === await keyOf(config, sources, inputs)) return;

  const made = await make(config, sources);
  await Deno.remove(join(outDir, "static"), { recursive: true }).catch(() => {});
  for (const [path, content] of made.bundles) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeFile(join(root, path), content);
  }
  await Deno.writeTextFile(join(outDir, "manifest.json"), JSON.stringify(made.manifest, null, 1));
  await Deno.writeTextFile(join(outDir, "server.js"), serverModule(config));
  // Written last: a build that was broken off is done again.
  const record = { key: await keyOf(config, sources, made.inputs), inputs: made.inputs };
  await Deno.writeTextFile(recordPath, JSON.stringify(record));
}

/** What was built from what: while the key is the same, nothing is built. */
async function readRecord(path: string): Promise<{ key: string; inputs: string[] }> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch {
    return { key: "", inputs: [] };
  }
}

async function keyOf(config: ResolvedBuildConfig, sources: Sources, inputs: string[]) {
  const denoJson = await findDenoJson(config.root);
  // The build's own code is an input too: it decides what a manifest looks like.
  const own = (await listFiles(OWN_DIR)).filter((path) => /^\w+(?<!_test)\.ts$/.test(path));
  const paths = [
    denoJson,
    join(dirname(denoJson), "deno.lock"),
    ...own.map((path) => join(OWN_DIR, path)),
    ...inputs.map((path) => join(config.root, path)),
  ];
  const contents = paths.map((path) => Deno.readTextFile(path).catch(() => ""));
  return hashOf(JSON.stringify([config, sources, await Promise.all(contents)]));
}

function hashOf(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

export async function findSources(config: ResolvedBuildConfig): Promise<Sources> {
  const { root, staticDir } = config;
  const files: Record<string, StaticFile> = {};
  for (const dir of staticDir) {
    for (const path of await listFiles(dir)) {
      if (/(^|\/)\.(?!well-known\/)/.test(path)) continue;
      const filePath = join(dir, path);
      const hash = hashOf(await Deno.readFile(filePath));
      // The first folder that has a file wins.
      files["/" + path] ??= { path: relative(root, filePath), hash, isBundle: false };
    }
  }
  return { ...await crawl(config), files };
}

/** Bundles islands, and tells what an app is to load and serve. */
export async function make(config: ResolvedBuildConfig, sources: Sources): Promise<Made> {
  const { root, outDir, target, mode } = config;
  const isDevelopment = mode === "development";
  // Addresses of bundles change with their content: only static files need the build's id.
  const buildId = hashOf(JSON.stringify(sources.files));
  const client = join(OWN_DIR, "client.ts");
  const reload = join(OWN_DIR, "reload.ts");
  const islands = sources.islands.map((path) => join(root, path));
  const entries = [client, ...(isDevelopment ? [reload] : []), ...islands];
  const bundled = await bundle({ root, entries, target, buildId, isDevelopment });

  const files = { ...sources.files };
  const bundles: Made["bundles"] = new Map();
  for (const [name, content] of bundled.files) {
    const path = relative(root, join(outDir, "static", name));
    bundles.set(path, content);
    files[BUNDLE_PATH + name] = { path, hash: hashOf(content), isBundle: true };
  }
  const addressOf = (entry: string) => BUNDLE_PATH + bundled.names.get(entry);
  const manifest = {
    buildId,
    clientEntry: addressOf(client),
    reloadEntry: isDevelopment ? addressOf(reload) : undefined,
    islands: sources.islands.map((path) => ({ path, file: addressOf(join(root, path)) })),
    routes: sources.routes,
    files,
  };
  return { manifest, bundles, inputs: bundled.inputs };
}

/** The module that serves the build. */
function serverModule({ root, outDir, serverEntry }: ResolvedBuildConfig): string {
  const fromHere = (path: string) => JSON.stringify(relative(outDir, path));
  return `// Written by the build: changes to this file are lost.
import { fileURLToPath } from "node:url";
import { setBuildCache } from ${fromHere(join(OWN_DIR, "app.ts"))};
import { loadBuild } from ${fromHere(join(OWN_DIR, "build_cache.ts"))};
import { app } from ${fromHere(serverEntry)};
import manifest from "./manifest.json" with { type: "json" };

const root = fileURLToPath(new URL(${fromHere(root)}, import.meta.url));
setBuildCache(app, await loadBuild(root, manifest), "production");

export default { fetch: app.handler() };
`;
}
