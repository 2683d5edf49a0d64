import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Manifest } from "../lib/fresh/build_cache.ts";
import { compressedName, ENCODINGS } from "../lib/web/compressed_files.ts";

/** Below, a packet is a packet. */
const WORTH_BYTES = 1024;

const COMPRESS = {
  br: promisify(brotliCompress),
  gzip: (content: Uint8Array) => promisify(gzip)(content, { level: 9 }),
};

/** Compresses a build's static files as well as it goes, once: they are sent so from then on. */
export async function compressFiles(root: string, outDir: string): Promise<void> {
  // Fresh itself has none: then files are compressed whenever they are sent.
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
