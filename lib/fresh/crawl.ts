import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { FsRouteFile } from "./fs_routes.ts";
import { pathToPattern } from "./router.ts";

/** A file of the routes folder before it is loaded; paths are relative to the root. */
export type FoundRoute = Omit<FsRouteFile, "module"> & { path: string; isLazy: boolean };

export interface Found {
  routes: FoundRoute[];
  islands: string[];
}

interface Folders {
  root: string;
  routeDir: string;
  islandDir: string;
}

const SOURCE = /\.[tj]sx?$/;
/** Tests, and what lies in folders such as `(_components)`. */
const NO_ROUTE = /[._]test\.[tj]sx?$|(^|\/)\(_/;

/** Finds routes and islands, the routes in the order in which they apply. */
export async function crawl({ root, routeDir, islandDir }: Folders): Promise<Found> {
  const sources = async (dir: string) =>
    (await listFiles(dir)).filter((path) => SOURCE.test(path) && !NO_ROUTE.test(path));
  const toPath = (file: string) => relative(root, file);

  const islands = (await sources(islandDir)).map((path) => toPath(join(islandDir, path)));
  const routes: FoundRoute[] = [];
  for (const path of await sources(routeDir)) {
    const file = join(routeDir, path);
    routes.push(toRoute(path, toPath(file), await Deno.readTextFile(file)));
  }
  routes.sort((a, b) => compareIds(a.id, b.id));
  return { routes, islands };
}

/** The paths of all files below `dir`, relative to it, sorted; none when there is no such folder. */
export async function listFiles(dir: string): Promise<string[]> {
  if (!existsSync(dir)) return [];
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name))).sort();
}

const KINDS: Record<string, FsRouteFile["kind"]> = {
  _middleware: "middleware",
  _layout: "layout",
  _app: "app",
  _404: "not_found",
  _error: "error",
  _500: "error",
};

function toRoute(file: string, path: string, code: string): FoundRoute {
  const id = new URL(file, "http://routes/").pathname.replace(SOURCE, "");
  const [, folder, name] = /^(.*)\/([^/]*)$/.exec(id)!;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : "route";
  if (kind !== "route") {
    const pattern = pathToPattern(folder.slice(1), true);
    return { id, path, kind, pattern, routePattern: pattern, isLazy: false };
  }
  const pattern = pathToPattern(id.slice(1), true);
  return {
    id,
    path,
    kind,
    // The slash makes the folder itself a segment, with its layouts and middlewares.
    pattern: name === "index" && !pattern.endsWith("/") ? pattern + "/" : pattern,
    routePattern: pathToPattern(id.slice(1)),
    // Its pattern must be known before the first request.
    isLazy: !code.includes("routeOverride"),
  };
}

/** Special files before routes, literal names before parameters, longer names before shorter. */
export function compareIds(a: string, b: string): number {
  if (a.endsWith("/_app")) return -1;
  if (b.endsWith("/_app")) return 1;
  const [partsA, partsB] = [a.split("/"), b.split("/")];
  const length = Math.min(partsA.length, partsB.length);
  for (let i = 0; i < length; i++) {
    const [partA, partB] = [partsA[i], partsB[i]];
    const [lastA, lastB] = [i === partsA.length - 1, i === partsB.length - 1];
    if (partA === partB) {
      if (lastA !== lastB) return lastA ? 1 : -1;
      continue;
    }
    const difference = rank(partB, lastB) - rank(partA, lastA);
    if (difference !== 0) return difference;
    if (partB.startsWith(partA)) return lastA ? 1 : -1;
    if (partA.startsWith(partB)) return lastB ? -1 : 1;
    return partA < partB ? -1 : 1;
  }
  return 0;
}

function rank(part: string, isLast: boolean): number {
  if (part.startsWith("_m")) return 7;
  if (part.startsWith("_e")) return 5;
  if (part.startsWith("_")) return 6;
  if (part === "index" && isLast) return 4;
  if (part.startsWith("[...")) return 0;
  if (part.startsWith("[")) return 1;
  return part.startsWith("(") ? 2 : 3;
}
