import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../../deno.json" with { type: "json" };
import { isPackaged } from "../../lib/base/machine/operator_command.ts";
import { succeeds } from "../command.ts";
import { say } from "../console.ts";

const ARCHITECTURES: Record<string, string> = { x86_64: "x64", aarch64: "arm64" };

/** Returns the name of the archive with Ansible's wheels, and of its only folder. */
export const wheelsName = (architecture: string): string =>
  `callboard-ansible-${denoJson.version}-${architecture}`;

/** Folder of the application: in an archive, it is in that of Callboard. */
const APP = fileURLToPath(new URL("../..", import.meta.url));

/** Places of the wheels: in the application's or Callboard's folder, or beside that. */
const PLACES = [APP, join(APP, ".."), join(APP, "../..")];

/** The archive of this machine, and the folder where people have to put it. */
export const expectedArchive = (): { name: string; folder: string } => ({
  name: `${wheelsName(machine())}.tar.gz`,
  folder: isPackaged() ? PLACES[1]! : PLACES[0]!,
});

const machine = (): string => ARCHITECTURES[Deno.build.arch] ?? Deno.build.arch;

/**
 * Returns the folder with Ansible's wheels for this machine, or null. It may be anyone's: pip
 * accepts only files with the hashes of the requirements. An archive is unpacked to `temporary`.
 */
export async function findWheels(temporary: string, places = PLACES): Promise<string | null> {
  const name = wheelsName(machine());
  for (const place of places) {
    const folder = join(place, name);
    if (await exists(folder)) return folder;
    const archive = `${folder}.tar.gz`;
    if (!await exists(archive)) continue;
    await Deno.mkdir(temporary, { recursive: true });
    if (await succeeds(["tar", "-xzf", archive, "-C", temporary])) return join(temporary, name);
    say(`${archive} could not be unpacked.`);
  }
  return null;
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
