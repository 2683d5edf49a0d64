import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildCache, emptyBuildCache, type SnapshotFile } from "./build_cache.ts";
import { bundle, findDenoJson } from "./bundle.ts";
import { crawl, type Found } from "./crawl.ts";
import type { ResolvedBuildConfig } from "./dev.ts";
import { BUNDLE_PATH, clientEntries, islandEntries } from "./entries.ts";
import { contentTypeOf, hashOf, walkFiles } from "./files.ts";
import { type Statics, writeServer, writeSnapshot } from "./snapshot.ts";

/** What was built from what: when the key is the same again, nothing is built. */
interface BuildRecord {
  key: string;
  inputs: string[];
}

/** Builds into the out folder what `server.js` there serves, unless it is there already. */
export async function diskBuild(config: ResolvedBuildConfig): Promise<BuildCache> {
  const { root, outDir } = config;
  const [found, statics] = await Promise.all([crawl(config), findStatics(config)]);
  const recordPath = join(outDir, "build.json");
  const record = await readRecord(recordPath);
  if (!record || record.key !== await keyOf(config, found, statics, record.inputs)) {
    const inputs = await build(config, found, statics);
    const key = await keyOf(config, found, statics, inputs);
    // Written last: a build that was broken off is done again.
    await Deno.writeTextFile(recordPath, JSON.stringify({ key, inputs }));
  }
  return emptyBuildCache(root);
}

async function readRecord(path: string): Promise<BuildRecord | null> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch {
    return null;
  }
}

const OWN_DIR = fileURLToPath(new URL(".", import.meta.url));

/** The files of the static folders by their address; the first folder that has one wins. */
async function findStatics({ staticDir, outDir }: ResolvedBuildConfig): Promise<Statics> {
  const statics: Statics = {};
  for (const dir of staticDir) {
    for (const path of await walkFiles(dir)) {
      const filePath = join(dir, path);
      if (path.split("/").some((part) => part.startsWith(".") && part !== ".well-known")) continue;
      if (filePath.startsWith(outDir + "/")) continue;
      const address = "/" + path.split("/").map(encodeURIComponent).join("/");
      statics[address] ??= toFile(filePath, await Deno.readFile(filePath), false);
    }
  }
  return statics;
}

function toFile(filePath: string, content: Uint8Array, immutable: boolean): SnapshotFile {
  const contentType = contentTypeOf(filePath);
  return { filePath, hash: hashOf(content), size: content.length, contentType, immutable };
}

async function keyOf(
  config: ResolvedBuildConfig,
  { routes, islands }: Found,
  statics: Statics,
  inputs: string[],
): Promise<string> {
  const denoJson = await findDenoJson(config.root);
  const lock = join(dirname(denoJson), "deno.lock");
  // The build's own code is an input too: it decides what a snapshot looks like.
  const entries = await Array.fromAsync(Deno.readDir(OWN_DIR), ({ name }) => name);
  const own = entries.filter((name) => /^\w+(?<!_test)\.ts$/.test(name)).sort();
  const paths = [
    denoJson,
    lock,
    ...own.map((path) => join(OWN_DIR, path)),
    ...inputs.map((path) => join(config.root, path)),
  ];
  const contents = await Promise.all(
    paths.map((path) => Deno.readTextFile(path).catch(() => "")),
  );
  return hashOf(JSON.stringify([config, routes, islands, statics, inputs]), ...contents);
}

/** Bundles, and writes all files; says what the bundles were made of. */
async function build(
  config: ResolvedBuildConfig,
  found: Found,
  statics: Statics,
): Promise<string[]> {
  const { root, target, outDir } = config;
  // Addresses of bundles change with their content: only static files need the build's id.
  const buildId = hashOf(JSON.stringify(statics));
  const islands = islandEntries(found.islands);
  const isDevelopment = config.mode === "development";
  const entries = { ...clientEntries(false), ...islands };
  const bundled = await bundle({ root, target, entries, buildId, isDevelopment });

  const bundleDir = join(outDir, "static", BUNDLE_PATH);
  await Deno.remove(join(outDir, "static"), { recursive: true }).catch(() => {});
  await Deno.mkdir(bundleDir, { recursive: true });
  const files = { ...statics };
  for (const [name, content] of bundled.files) {
    const filePath = join(bundleDir, name);
    await Deno.writeFile(filePath, content);
    files[BUNDLE_PATH + name] = toFile(filePath, content, true);
  }
  const snapshot = writeSnapshot(config, { buildId, files, bundled, islands, found });
  await Deno.writeTextFile(join(outDir, "snapshot.js"), snapshot);
  await Deno.writeTextFile(join(outDir, "server.js"), writeServer(config));
  return bundled.inputs;
}
