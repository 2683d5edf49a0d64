import { join } from "node:path";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { pinFor } from "../../scripts/ansible/pins.ts";
import { succeeds } from "../../scripts/command.ts";
import type { Architecture } from "./deno_binary.ts";

/** Python of RHEL 9, Ubuntu 22.04, Debian 12, Ubuntu 24.04 and Debian 13. */
const PYTHONS = [9, 10, 11, 12, 13];

/** Some wheels are not for the first releases of a version of Python. */
const PATCH = 9;

const MACHINES: Record<Architecture, string> = { x64: "x86_64", arm64: "aarch64" };

/** Versions of glibc that wheels are built for. All systems above have later ones. */
const PLATFORMS = ["manylinux_2_17", "manylinux2014", "manylinux_2_28"];

/** Downloads Ansible and its requirements for an architecture, with their locked hashes. */
export async function copyWheels(architecture: Architecture, folder: string): Promise<void> {
  const virtualenv = await Deno.makeTempDir({ prefix: "callboard_pip_" });
  try {
    if (!await succeeds(["python3", "-m", "venv", virtualenv])) {
      throw new ConfigError("Packaging Ansible needs Python 3.9 or later with venv.");
    }
    const pip = [join(virtualenv, "bin", "python"), "-m", "pip", "download", "--quiet"];
    const env = { PIP_DISABLE_PIP_VERSION_CHECK: "1" };
    for (const minor of PYTHONS) {
      const command = [...pip, ...downloadOptions(architecture, minor), "--dest", folder];
      if (!await succeeds(command, { env })) {
        throw new ConfigError(`Ansible for Python 3.${minor} could not be downloaded.`);
      }
    }
  } finally {
    await Deno.remove(virtualenv, { recursive: true });
  }
}

function downloadOptions(architecture: Architecture, minor: number): string[] {
  return [
    ...["--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp"],
    ...[`--python-version=3.${minor}.${PATCH}`, `--abi=cp3${minor}`, "--abi=abi3", "--abi=none"],
    ...PLATFORMS.map((platform) => `--platform=${platform}_${MACHINES[architecture]}`),
    ...["--requirement", pinFor(minor)!.file],
  ];
}
