import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const SKIPPED = new Set(["node_modules", "_fresh", "_generated", "data", "testdata"]);

/** Yields the paths of files below `root` that match, relative to it, without generated files. */
export async function* walk(root: string, fits: RegExp, below = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(root, below))) {
    if (/^\.(?!well-known$)/.test(name) || SKIPPED.has(name)) continue;
    const path = join(below, name);
    if (isDirectory) yield* walk(root, fits, path);
    else if (fits.test(path)) yield path;
  }
}
