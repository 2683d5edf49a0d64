import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  addIslands,
  type BuildCache,
  type IslandRegistry,
  type StaticFile,
} from "./build_cache.ts";
import { setBuildId } from "./build_id.ts";
import { bundle } from "./bundle.ts";
import { crawl } from "./crawl.ts";
import type { ResolvedBuildConfig } from "./dev.ts";
import { contentTypeOf, hashOf } from "./files.ts";
import type { FsRouteFile, RouteModule } from "./fs_routes.ts";
import { BUNDLE_PATH, clientEntries, islandEntries } from "./entries.ts";

/** Builds without writing anything: for development and tests. */
export async function memoryBuild(config: ResolvedBuildConfig): Promise<BuildCache> {
  const isDevelopment = config.mode === "development";
  const buildId = crypto.randomUUID().slice(0, 8);
  setBuildId(buildId);
  const found = await crawl(config);
  const islandFiles = islandEntries(found.islands);
  const entries = { ...clientEntries(isDevelopment), ...islandFiles };
  const { root, target } = config;
  const bundled = await bundle({ root, target, entries, buildId, isDevelopment });
  const addressOf = (name: string) => BUNDLE_PATH + bundled.entries.get(name)!;

  const islands: IslandRegistry = new Map();
  for (const [name, path] of Object.entries(islandFiles)) {
    addIslands(islands, await import(pathToFileURL(path).href), addressOf(name));
  }
  const fsRoutes: FsRouteFile[] = [];
  for (const { filePath, isLazy, ...route } of found.routes) {
    const load = () => import(pathToFileURL(filePath).href) as Promise<RouteModule>;
    fsRoutes.push({ ...route, module: isLazy ? load : await load() });
  }
  return {
    root,
    islands,
    fsRoutes,
    clientEntry: addressOf("client"),
    reloadEntry: isDevelopment ? addressOf("reload") : undefined,
    findFile(pathname) {
      const content = pathname.startsWith(BUNDLE_PATH) &&
        bundled.files.get(pathname.slice(BUNDLE_PATH.length));
      if (content) return Promise.resolve(bundledFile(pathname, content));
      return findStaticFile(config.staticDir, pathname);
    },
  };
}

function bundledFile(pathname: string, content: Uint8Array<ArrayBuffer>): StaticFile {
  return {
    hash: hashOf(content),
    size: content.length,
    contentType: contentTypeOf(pathname),
    immutable: true,
    open: () => Promise.resolve(content),
  };
}

async function findStaticFile(staticDirs: string[], pathname: string): Promise<StaticFile | null> {
  const path = decodeURIComponent(pathname);
  // A decoded segment may hold a slash, and so lead out of the folder.
  if (path.split("/").some((part) => part.startsWith(".") && part !== ".well-known")) return null;
  for (const dir of staticDirs) {
    const filePath = join(dir, path);
    const stat = await Deno.stat(filePath).catch(() => null);
    if (!stat?.isFile) continue;
    const open = async () => (await Deno.open(filePath)).readable;
    const contentType = contentTypeOf(path);
    return { hash: null, size: stat.size, contentType, immutable: false, open };
  }
  return null;
}
