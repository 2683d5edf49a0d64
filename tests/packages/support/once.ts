import { join } from "node:path";
import { ROOT } from "@/tests/support/basics/walk.ts";

/**
 * Returns the folder `data/packages/NAME-KEY`, which `make` fills at the first time. Test files run
 * in processes of their own, and one of them does it for all. Folders with other keys are removed.
 */
export async function onceForTests(
  name: string,
  key: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const packages = join(ROOT, "data", "packages");
  await Deno.mkdir(packages, { recursive: true });
  using lock = await Deno.open(join(packages, `${name}.lock`), { create: true, write: true });
  await lock.lock(true);
  const folder = join(packages, `${name}-${key}`);
  const done = join(packages, `${name}-${key}.done`);
  if (await Deno.stat(done).then(() => true, () => false)) return folder;
  for (const entry of await Array.fromAsync(Deno.readDir(packages))) {
    if (!entry.name.startsWith(`${name}-`)) continue;
    await Deno.remove(join(packages, entry.name), { recursive: true });
  }
  await Deno.mkdir(folder);
  await make(folder);
  await Deno.writeTextFile(done, "");
  return folder;
}
