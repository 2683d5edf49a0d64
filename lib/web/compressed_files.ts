import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Middleware } from "fresh";
import { parseAccept } from "hono/utils/accept";
import type { State } from "./state.ts";

/** Where a build puts what it has compressed. */
const FOLDER = fileURLToPath(new URL("../../_fresh/compressed", import.meta.url));

/** Content encodings and the ends of their files' names, the best first. */
export const ENCODINGS = [["br", ".br"], ["gzip", ".gz"]] as const;

/** The name of a static file's compressed content, without its end: its address as one word. */
export const compressedName = (address: string): string => address.replaceAll("/", "_");

/** Serves static files as the build has compressed them, to browsers that take that. */
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

/** Some 200 kB, read when the first of them is asked for. */
function readAll() {
  return all ??= (async () => {
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    try {
      for await (const { name } of Deno.readDir(FOLDER)) {
        found.set(name, await Deno.readFile(join(FOLDER, name)));
      }
    } catch (error) {
      // Another build than ours made it: it is sent as it is.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return found;
  })();
}
