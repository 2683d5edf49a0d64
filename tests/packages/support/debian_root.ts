import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { output } from "./machine.ts";

const FOLDER = fileURLToPath(new URL("../../../data/debian", import.meta.url));

/** Packages that Callboard's packages ask for, and those that a test needs inside. */
const PACKAGES = [
  ...["bubblewrap", "debconf", "git", "openssh-client", "python3", "python3-venv", "sshpass"],
  ...["curl", "dbus", "systemd", "systemd-sysv"],
];

/**
 * Returns a folder with a fresh Debian 12, from the mirror of this machine's apt sources. It is made
 * once: tests change only copies of it.
 */
export async function debianRoot(): Promise<string> {
  if (await Deno.stat(join(FOLDER, "usr/bin/git")).then(() => true, () => false)) return FOLDER;
  const indexes = await output(["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages"]);
  const mirror = indexes.split("\n")[0]!;
  const temporary = `${FOLDER}.tmp`;
  await Deno.remove(temporary, { recursive: true }).catch(() => {});
  await output([
    ...["debootstrap", "--variant=minbase", `--include=${PACKAGES.join(",")}`],
    ...["bookworm", temporary, mirror],
  ]);
  await Deno.rename(temporary, FOLDER);
  return FOLDER;
}
