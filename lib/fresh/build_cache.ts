import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inOrder } from "./page_paths.ts";
import { setBuildId } from "./runtime.ts";

/** Result of a build as data. Paths are relative to the root. */
export interface Manifest {
  buildId: string;
  /** URL of the script that hydrates islands. Like all URLs here, it is below the base path. */
  clientEntry: string;
  /** `prefix` comes before the names of an island's exports in its file, which may have others. */
  islands: { path: string; file: string; prefix: string }[];
  routeDir: string;
  /** Paths below the routes folder. */
  routes: string[];
  /** Paths of static files and bundles by their decoded URLs. */
  files: Record<string, string>;
}

/** Path of the bundles, whose URLs change with their content. */
export const BUNDLE_PATH = "/_fresh/js/";

/** A component that is rendered on the server and hydrated in the browser. */
export interface Island {
  /** Name of its export in the bundle. */
  exportName: string;
  /** URL of the bundle. */
  file: string;
}

/** Exports of a file in the routes folder. Its name decides which of them are valid. */
export interface RouteModule {
  handler?: unknown;
  default?: unknown;
}

/** A page or another file of the routes folder with a URL of its own. */
export interface Page {
  /** Path of its file below the routes folder, without the extension. */
  id: string;
  /** Parts of its URL. */
  parts: string[];
  /** Called at the first request. */
  load(): Promise<RouteModule>;
}

/** Input of an app from a build. Files of the routes folder are keyed by path without extension. */
export interface BuildCache {
  clientEntry: string;
  islands: Map<unknown, Island>;
  /** `_app`, and each folder's `_layout`, `_middleware` and `_error`. */
  specials: Map<string, RouteModule>;
  /** In the order in which they are compared with a path. */
  pages: Page[];
  files: Map<string, string>;
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Tells whether a file of the routes folder is no page, and so is loaded at the start. */
export const isSpecial = (path: string): boolean =>
  /^(_app|(.*\/)?_(layout|middleware|error))(\.\w+)?$/.test(path);

interface LoadOptions {
  /** Imports a module by its path below the root. */
  load?: (path: string) => Promise<object>;
  /** Files that are not on the disk. */
  bundles?: Map<string, Uint8Array<ArrayBuffer>>;
}

/** Loads the modules of a manifest. */
export async function loadBuild(
  root: string,
  { buildId, clientEntry, files, ...manifest }: Manifest,
  {
    load = (path) => import(pathToFileURL(join(root, path)).href),
    bundles = new Map(),
  }: LoadOptions = {},
): Promise<BuildCache> {
  setBuildId(buildId);

  const islands: BuildCache["islands"] = new Map();
  for (const { path, file, prefix } of manifest.islands) {
    for (const [name, value] of Object.entries(await load(path))) {
      if (typeof value === "function") islands.set(value, { exportName: prefix + name, file });
    }
  }
  const specials: BuildCache["specials"] = new Map();
  const pages: { id: string; load: Page["load"] }[] = [];
  for (const file of manifest.routes) {
    const id = file.replace(/\.\w+$/, "");
    const loadRoute = async () => validateModule(id, await load(join(manifest.routeDir, file)));
    if (isSpecial(id)) specials.set(id, await loadRoute());
    else if (!/(^|\/)_/.test(id)) pages.push({ id, load: loadRoute });
    else throw new Error(`The stand-in for Fresh knows no route such as "${file}".`);
  }
  const read = async (path: string) => bundles.get(path) ?? await Deno.readFile(join(root, path));
  return {
    clientEntry,
    islands,
    specials,
    pages: inOrder(pages),
    files: new Map(Object.entries(files)),
    read,
  };
}

/** Throws an error that names the file if it exports nothing useful or something unknown. */
export function validateModule(id: string, module: RouteModule): RouteModule {
  if (!module.default && !module.handler) throw new Error(`The route "${id}" exports nothing.`);
  for (const name of ["config", "css", "handlers"]) {
    if (name in module) {
      throw new Error(`The stand-in for Fresh knows no "${name}", as in "${id}".`);
    }
  }
  return module;
}
