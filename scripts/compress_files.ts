import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Manifest } from "../lib/fresh/build_cache.ts";
import { compressedName, ENCODINGS } from "../lib/web/server/compressed_files.ts";

/** Smaller files fit into one packet anyway. */
const WORTH_BYTES = 1024;

const COMPRESS = {
  br: promisify(brotliCompress),
  gzip: (content: Uint8Array) => promisify(gzip)(content, { level: 9 }),
};

/** Compresses a build's static files once, as well as possible. They are sent in that form. */
export async function compressFiles(root: string, outDir: string): Promise<void> {
  // A build of Fresh itself has no manifest. Its files are then compressed for each response.
  const manifest = await Deno.readTextFile(join(outDir, "manifest.json")).catch(() => null);
  if (!manifest) return;
  const { files }: Pick<Manifest, "files"> = JSON.parse(manifest);
  const folder = join(outDir, "compressed");
  await Deno.mkdir(folder, { recursive: true });
  for (const [address, path] of Object.entries(files)) {
    const content = await Deno.readFile(join(root, path));
    if (content.length < WORTH_BYTES) continue;
    for (const [encoding, suffix] of ENCODINGS) {
      const name = compressedName(address) + suffix;
      await Deno.writeFile(join(folder, name), await COMPRESS[encoding](content));
    }
  }
}
