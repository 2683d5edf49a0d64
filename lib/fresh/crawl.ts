import { walkFiles } from "./files.ts";
import type { FsRouteFile } from "./fs_routes.ts";
import { pathToPattern } from "./router.ts";
import { join } from "node:path";

/** A file of the routes folder before it is loaded. */
export type FoundRoute = Omit<FsRouteFile, "module"> & { filePath: string; isLazy: boolean };

export interface Found {
  routes: FoundRoute[];
  islands: string[];
}

interface Folders {
  routeDir: string;
  islandDir: string;
  ignore: RegExp[];
}

const SOURCE = /\.[tj]sx?$/;

/** Finds routes and islands, the routes in the order in which they apply. */
export async function crawl({ routeDir, islandDir, ignore }: Folders): Promise<Found> {
  const isSource = (path: string) => SOURCE.test(path) && !ignore.some((skip) => skip.test(path));
  const sources = async (dir: string) =>
    (await walkFiles(dir)).filter((path) => isSource(join(dir, path)));

  const islands = (await sources(islandDir)).map((path) => join(islandDir, path));
  const routes: FoundRoute[] = [];
  for (const path of await sources(routeDir)) {
    const filePath = join(routeDir, path);
    const hidden = /(?:^|\/)\((_[^/]+)\)\//.exec(path);
    if (hidden?.[1] === "_islands") islands.push(filePath);
    if (!hidden) routes.push(toRoute(path, filePath, await Deno.readTextFile(filePath)));
  }
  routes.sort((a, b) => compareIds(a.id, b.id));
  return { routes, islands };
}

const KINDS: Record<string, FsRouteFile["kind"]> = {
  _middleware: "middleware",
  _layout: "layout",
  _app: "app",
  _404: "not_found",
  _error: "error",
  _500: "error",
};

function toRoute(path: string, filePath: string, code: string): FoundRoute {
  const id = new URL(path, "http://routes/").pathname.replace(SOURCE, "");
  const [, folder, name] = /^(.*)\/([^/]*)$/.exec(id)!;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : "route";
  if (kind !== "route") {
    const pattern = pathToPattern(folder.slice(1), true);
    return { id, filePath, kind, pattern, routePattern: pattern, isLazy: false };
  }
  const pattern = pathToPattern(id.slice(1), true);
  return {
    id,
    filePath,
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
