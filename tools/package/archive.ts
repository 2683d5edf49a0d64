import { createReadStream, createWriteStream } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker, type TarPackController } from "modern-tar";

/**
 * Writes a folder to a .tar.gz. Equal folders give equal files: entries are sorted, everything
 * belongs to root and has the same time, and modes are 755 or 644.
 */
export async function writeArchive(folder: string, to: string, mtime: Date): Promise<void> {
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]),
    // zlib writes neither a name nor a time to the header.
    createGzip({ level: 9 }),
    createWriteStream(to),
  );
  await Promise.all([written, pack(controller, folder, mtime)]);
}

async function pack(controller: TarPackController, folder: string, mtime: Date): Promise<void> {
  const common = { mtime, uid: 0, gid: 0, uname: "root", gname: "root" };
  const top = basename(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const byPath = new Map(entries.map((entry) => [join(entry.parentPath, entry.name), entry]));
  await controller.add({ ...common, name: `${top}/`, type: "directory", size: 0, mode: 0o755 })
    .close();
  for (const path of [...byPath.keys()].sort()) {
    const entry = byPath.get(path)!;
    const name = join(top, relative(folder, path));
    if (entry.isDirectory()) {
      const header = { ...common, name: `${name}/`, type: "directory", size: 0 } as const;
      await controller.add({ ...header, mode: 0o755 }).close();
    } else if (entry.isSymbolicLink()) {
      const linkname = await readlink(path);
      const header = { ...common, name, type: "symlink", linkname, size: 0 } as const;
      await controller.add({ ...header, mode: 0o777 }).close();
    } else {
      const { size, mode } = await Deno.stat(path);
      const header = { ...common, name, size, mode: mode! & 0o100 ? 0o755 : 0o644 };
      await Readable.toWeb(createReadStream(path)).pipeTo(controller.add(header));
    }
  }
  controller.finalize();
}
