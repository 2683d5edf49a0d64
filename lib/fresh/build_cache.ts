import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setBuildId } from "./runtime.ts";

/** What the builder found and made, as data. Paths are relative to the root. */
export interface Manifest {
  buildId: string;
  /** The address of the script that brings islands to life. It, as all, is below the base path. */
  clientEntry: string;
  islands: { path: string; file: string }[];
  routeDir: string;
  /** Paths below the routes folder. */
  routes: string[];
  /** Paths of static files and bundles by their decoded addresses. */
  files: Record<string, string>;
}

/** Where the bundles are served, whose addresses change with their content. */
export const BUNDLE_PATH = "/_fresh/js/";

/** A component that is rendered on the server and comes alive in the browser. */
export interface Island {
  exportName: string;
  /** The address of its bundle. */
  file: string;
}

/** What a file in the routes folder may export; which of it makes sense, its name decides. */
export interface RouteModule {
  handler?: unknown;
  default?: unknown;
}

/** What a build hands to an app. Files of the routes folder go by their paths without extension. */
export interface BuildCache {
  clientEntry: string;
  islands: Map<unknown, Island>;
  /** `_app`, and each folder's `_layout`, `_middleware` and `_error`. */
  specials: Map<string, RouteModule>;
  /** Loaded when they are first asked for. */
  pages: Map<string, () => Promise<RouteModule>>;
  files: Map<string, string>;
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

const SPECIAL = /^_app$|(^|\/)_(layout|middleware|error)$/;

/** Loads what a manifest names; `bundles` are those files that are not on the disk. */
export async function loadBuild(
  root: string,
  { buildId, clientEntry, files, ...manifest }: Manifest,
  bundles: Map<string, Uint8Array<ArrayBuffer>> = new Map(),
): Promise<BuildCache> {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  setBuildId(buildId);

  const islands: BuildCache["islands"] = new Map();
  for (const { path, file } of manifest.islands) {
    for (const [exportName, value] of Object.entries(await load(path))) {
      if (typeof value === "function") islands.set(value, { exportName, file });
    }
  }
  const specials: BuildCache["specials"] = new Map();
  const pages: BuildCache["pages"] = new Map();
  for (const file of manifest.routes) {
    const id = file.replace(/\.\w+$/, "");
    const loadRoute = async () => checkModule(id, await load(join(manifest.routeDir, file)));
    if (SPECIAL.test(id)) specials.set(id, await loadRoute());
    else if (!/(^|\/)_/.test(id)) pages.set(id, loadRoute);
    else throw new Error(`The stand-in for Fresh knows no route such as "${file}".`);
  }
  const read = async (path: string) => bundles.get(path) ?? await Deno.readFile(join(root, path));
  return { clientEntry, islands, specials, pages, files: new Map(Object.entries(files)), read };
}

/** Throws a sentence that names the file when it exports nothing useful, or what is not known. */
export function checkModule(id: string, module: RouteModule): RouteModule {
  if (!module.default && !module.handler) throw new Error(`The route "${id}" exports nothing.`);
  for (const name of ["config", "css", "handlers"]) {
    if (name in module) {
      throw new Error(`The stand-in for Fresh knows no "${name}", as in "${id}".`);
    }
  }
  return module;
}
