import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setBuildId } from "./build_id.ts";
import type { FsRouteFile, RouteModule } from "./fs_routes.ts";

/** What the builder found and made, as data. Paths are relative to the root. */
export interface Manifest {
  buildId: string;
  /** The addresses of scripts are below the base path. */
  clientEntry: string;
  reloadEntry?: string;
  islands: { path: string; file: string }[];
  routes: (Omit<FsRouteFile, "module"> & { path: string; isLazy: boolean })[];
  files: Record<string, StaticFile>;
}

export interface StaticFile {
  path: string;
  hash: string;
  /** Whether its address changes with its content. */
  isBundle: boolean;
}

/** A component that is rendered on the server and comes alive in the browser. */
export interface Island {
  exportName: string;
  /** The address of its bundle. */
  file: string;
}

/** What a build hands to an app. */
export interface BuildCache {
  /** The address of the script that brings islands to life. */
  clientEntry: string;
  /** The address of the script that reloads the page after a change; development only. */
  reloadEntry?: string;
  islands: Map<unknown, Island>;
  fsRoutes: FsRouteFile[];
  /** Static files and bundles by their decoded addresses. */
  files: Map<string, StaticFile>;
  read(file: StaticFile): Promise<Uint8Array<ArrayBuffer>>;
}

/** For an app that nobody built: no file routes, no islands, no static files. */
export const NO_BUILD: BuildCache = {
  clientEntry: "",
  islands: new Map(),
  fsRoutes: [],
  files: new Map(),
  read: () => Promise.reject(new Error("Nothing is built.")),
};

/** Loads what a manifest names; `bundles` are those files that are not on the disk. */
export async function loadBuild(
  root: string,
  manifest: Manifest,
  bundles: Map<string, Uint8Array<ArrayBuffer>> = new Map(),
): Promise<BuildCache> {
  const load = (path: string): Promise<RouteModule> => import(pathToFileURL(join(root, path)).href);
  const { buildId, clientEntry, reloadEntry } = manifest;
  setBuildId(buildId);

  const islands: BuildCache["islands"] = new Map();
  for (const { path, file } of manifest.islands) {
    for (const [exportName, value] of Object.entries(await load(path))) {
      if (typeof value === "function") islands.set(value, { exportName, file });
    }
  }
  const fsRoutes: FsRouteFile[] = [];
  for (const { path, isLazy, ...route } of manifest.routes) {
    fsRoutes.push({ ...route, module: isLazy ? () => load(path) : await load(path) });
  }
  return {
    clientEntry,
    reloadEntry,
    islands,
    fsRoutes,
    files: new Map(Object.entries(manifest.files)),
    read: async ({ path }) => bundles.get(path) ?? await Deno.readFile(join(root, path)),
  };
}
