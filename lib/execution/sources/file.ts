import { join, normalize } from "node:path";
import { sourceError } from "./errors.ts";
import type { SourceKind } from "./kind.ts";
import { requireShort, textValues } from "./text_values.ts";

/**
 * A file below the folders that an admin has named. Its path is absolute, or starts at one of them.
 */
export const file: SourceKind = {
  builtIn: true,
  fields: [],
  hasSecret: () => false,
  open: ({ storage, machine, projectId }) => ({
    async read(path) {
      const missing = () => sourceError(storage, path, "missing");
      const found = await allowedFile(machine.sources.folders, projectId, path);
      if (!found) throw missing();
      const info = await Deno.stat(found).catch(() => null);
      if (!info?.isFile) throw missing();
      requireShort(storage, path, info.size);
      const text = await Deno.readTextFile(found).catch(() => {
        throw sourceError(storage, path, "denied");
      });
      return textValues(text.replace(/\r?\n$/, ""));
    },
  }),
};

/** Returns the real path of a file in one of the folders; null for all others. */
async function allowedFile(
  folders: readonly string[],
  projectId: number,
  path: string,
): Promise<string | null> {
  for (const folder of folders.map((folder) => folder.replaceAll("{project}", `${projectId}`))) {
    const wanted = normalize(path.startsWith("/") ? path : join(folder, path));
    // Kubernetes mounts secrets as links within their folder. Links out of it are not followed.
    const [root, real] = await Promise.all(
      [folder, wanted].map((path) => Deno.realPath(path).catch(() => null)),
    );
    if (root && real?.startsWith(`${root}/`)) return real;
  }
  return null;
}
