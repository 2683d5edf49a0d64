import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

export const CHECKSUMS = "SHA256SUMS";

/** Writes SHA256SUMS for all other files in the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (name === CHECKSUMS) continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Deno.writeTextFile(join(folder, CHECKSUMS), lines.join(""));
}
