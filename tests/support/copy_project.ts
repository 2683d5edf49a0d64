import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./walk.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Sources and settings of the project, without what was made of them, in a folder of their own. */
export async function copyProject(to: string): Promise<void> {
  for await (const path of walk(ROOT, /./)) {
    await Deno.mkdir(dirname(join(to, path)), { recursive: true });
    await Deno.copyFile(join(ROOT, path), join(to, path));
  }
}
