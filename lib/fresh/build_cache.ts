import type { FsRouteFile } from "./fs_routes.ts";
import { isAbsolute, join } from "node:path";
import { setBuildId } from "./build_id.ts";

/** A component that is rendered on the server and comes alive in the browser. */
export interface Island {
  exportName: string;
  /** The address of its bundle, without the base path. */
  file: string;
}

export type IslandRegistry = Map<unknown, Island>;

export interface StaticFile {
  hash: string | null;
  size: number;
  contentType: string;
  /** Whether its address changes with its content. */
  immutable: boolean;
  open(): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>>;
}

/** What a build hands to an app. */
export interface BuildCache {
  root: string;
  islands: IslandRegistry;
  /** The address of the script that brings islands to life. */
  clientEntry: string;
  /** The address of the script that reloads the page after a change; development only. */
  reloadEntry?: string;
  fsRoutes: FsRouteFile[];
  findFile(pathname: string): Promise<StaticFile | null>;
}

/** For an app that nobody built: no file routes, no islands, no static files. */
export function emptyBuildCache(root: string): BuildCache {
  const findFile = () => Promise.resolve(null);
  return { root, islands: new Map(), clientEntry: "", fsRoutes: [], findFile };
}

/** Adds each exported function of an island's module to the registry. */
export function addIslands(
  islands: IslandRegistry,
  module: Record<string, unknown>,
  file: string,
): void {
  for (const [exportName, value] of Object.entries(module)) {
    if (typeof value === "function") islands.set(value, { exportName, file });
  }
}

/** A word like `wanted` that is not in `taken`. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  const base = wanted.replace(/[^\w$]+/g, "_");
  let name = base;
  for (let n = 1; taken.has(name); n++) name = `${base}_${n}`;
  return name;
}

export interface SnapshotFile {
  filePath: string;
  hash: string;
  size: number;
  contentType: string;
  immutable: boolean;
}

export interface Snapshot {
  buildId: string;
  clientEntry: string;
  islands: { module: Record<string, unknown>; file: string }[];
  staticFiles: Record<string, SnapshotFile>;
  fsRoutes: FsRouteFile[];
}

/** The build that `snapshot.js` describes. */
export function loadSnapshot(root: string, snapshot: Snapshot): BuildCache {
  setBuildId(snapshot.buildId);
  const islands: IslandRegistry = new Map();
  for (const { module, file } of snapshot.islands) addIslands(islands, module, file);
  const files = new Map(Object.entries(snapshot.staticFiles));

  return {
    root,
    islands,
    clientEntry: snapshot.clientEntry,
    fsRoutes: snapshot.fsRoutes,
    findFile(pathname) {
      const file = files.get(pathname);
      if (!file) return Promise.resolve(null);
      const path = isAbsolute(file.filePath) ? file.filePath : join(root, file.filePath);
      const open = async () => (await Deno.open(path)).readable;
      return Promise.resolve({ ...file, open });
    },
  };
}
