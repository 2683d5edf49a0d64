import { createHash } from "node:crypto";
import { join } from "node:path";
import { getMimeType } from "hono/utils/mime";

/** The paths of all files below `dir`, relative to it, sorted; none when there is no such folder. */
export async function walkFiles(dir: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string) => {
    for await (const entry of Deno.readDir(join(dir, folder))) {
      const path = folder + entry.name;
      if (entry.isDirectory) await visit(path + "/");
      else if (entry.isFile) found.push(path);
    }
  };
  try {
    await visit("");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort();
}

/** A short name for exactly this content. */
export function hashOf(...contents: (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  // Each part's length goes in too: moving a byte from one to the next makes another hash.
  for (const content of contents) hash.update(`${content.length}:`).update(content);
  return hash.digest("hex").slice(0, 16);
}

export function contentTypeOf(path: string): string {
  return getMimeType(path) ?? "text/plain";
}
