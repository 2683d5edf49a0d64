import { dirname, join } from "node:path";
import { ROOT, walk } from "./walk.ts";

/** Copies sources and settings of the project to a folder, without generated files. */
export async function copyProject(to: string): Promise<void> {
  for await (const path of walk(ROOT, /./)) {
    await Deno.mkdir(dirname(join(to, path)), { recursive: true });
    await Deno.copyFile(join(ROOT, path), join(to, path));
  }
}
