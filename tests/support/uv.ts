import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./copy_project.ts";

const VERSION = "0.13.9";

/** Returns the folder of the real uv, which is installed once, or null if PyPI does not answer. */
export async function findUv(): Promise<string | null> {
  const folder = join(ROOT, "data", "uv", VERSION);
  const programs = join(folder, "bin");
  if (existsSync(programs)) return programs;
  const fresh = `${folder}-${crypto.randomUUID()}`;
  const { success } = await new Deno.Command("python3", {
    args: ["-m", "pip", "install", "--quiet", `--target=${fresh}`, `uv==${VERSION}`],
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) return null;
  await Deno.rename(fresh, folder);
  return programs;
}
