import { createHash } from "node:crypto";
import { extname, join } from "node:path";

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

const CONTENT_TYPES: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=UTF-8",
  ".csv": "text/csv; charset=UTF-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=UTF-8",
  ".ico": "image/vnd.microsoft.icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".map": "application/json; charset=UTF-8",
  ".md": "text/markdown; charset=UTF-8",
  ".mjs": "text/javascript; charset=UTF-8",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".otf": "font/otf",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=UTF-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "text/xml; charset=UTF-8",
  ".zip": "application/zip",
};

export function contentTypeOf(path: string): string {
  return CONTENT_TYPES[extname(path).toLowerCase()] ?? "text/plain";
}
