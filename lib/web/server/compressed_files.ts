import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Middleware } from "fresh";
import { parseAccept } from "hono/utils/accept";
import type { State } from "../state.ts";

/** Folder of the files that a build has compressed. */
const FOLDER = fileURLToPath(new URL("../../../_fresh/compressed", import.meta.url));

/** Content encodings and the suffixes of their files, best first. */
export const ENCODINGS = [["br", ".br"], ["gzip", ".gz"]] as const;

/**
 * Returns the file name of a static file's compressed content without its suffix: its URL path as
 * one word.
 */
export const compressedName = (address: string): string => address.replaceAll("/", "_");

/** Serves static files as compressed by the build, to browsers that accept the encoding. */
export const compressedFiles: Middleware<State> = async (ctx) => {
  const response = await ctx.next();
  const { req, url, config } = ctx;
  if (config.mode !== "production" || req.method !== "GET" || response.status !== 200) {
    return response;
  }
  const name = compressedName(url.pathname.slice(config.basePath.length));
  const accepted = parseAccept(req.headers.get("Accept-Encoding") ?? "");
  const [encoding, suffix] =
    ENCODINGS.find(([encoding]) => accepted.some(({ type, q }) => type === encoding && q > 0)) ??
      [];
  const content = suffix && (await readAll()).get(name + suffix);
  if (!content) return response;
  await response.body?.cancel();
  const { headers } = response;
  headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(content.length));
  headers.append("Vary", "Accept-Encoding");
  return new Response(content, { headers });
};

let all: Promise<Map<string, Uint8Array<ArrayBuffer>>> | undefined;

/** Reads all compressed files, about 200 kB, at the first request for one of them. */
function readAll() {
  return all ??= (async () => {
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    try {
      for await (const { name } of Deno.readDir(FOLDER)) {
        found.set(name, await Deno.readFile(join(FOLDER, name)));
      }
    } catch (error) {
      // Another kind of build has no compressed files, so files are sent uncompressed.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return found;
  })();
}
