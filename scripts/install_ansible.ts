import { join } from "node:path";
import { COLLECT_RARELY } from "../lib/execution/ansible/toolchains/collect_rarely.ts";
import {
  ansibleDir,
  type AnsibleInstallation,
  findAnsible,
} from "../lib/execution/ansible/installation.ts";
import type { CommandEnvironment } from "../lib/execution/process/try_command.ts";
import { MACHINE_PYTHON, type Pin, pinFor, readRequirements } from "./ansible/pins.ts";
import { expectedArchive, findWheels } from "./ansible/wheels.ts";
import { printed, succeeds } from "./command.ts";
import { announce } from "./console.ts";
import { installDebianPackages } from "./debian.ts";

/** Time to download and unpack about 60 MB, even on a slow line. */
const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * Installs an Ansible for this server: in a virtualenv of its own, otherwise from Debian's package.
 */
export async function installAnsible(env: CommandEnvironment): Promise<AnsibleInstallation | null> {
  if (await installInVirtualenv(env.dataDir)) {
    const installation = await findAnsible(env);
    if (installation) return installation;
  }
  if (await installDebianPackages("ansible-core") || await installDebianPackages("ansible")) {
    return await findAnsible(env);
  }
  return null;
}

interface Python {
  command: string;
  /** Minor version of Python 3. */
  minor: number;
  pin: Pin | undefined;
}

/** Returns the Pythons to install Ansible with. Those that get a newer Ansible come first. */
async function findPythons(): Promise<Python[]> {
  const pythons: Python[] = [];
  for (const command of [MACHINE_PYTHON, "python3"]) {
    const minor = await printed([command, "-c", "import sys; print(sys.version_info[1])"]);
    if (minor) pythons.push({ command, minor: Number(minor), pin: pinFor(Number(minor)) });
  }
  return pythons.sort((one, other) => (other.pin?.from ?? 0) - (one.pin?.from ?? 0));
}

async function installInVirtualenv(dataDir: string): Promise<boolean> {
  const pythons = await findPythons();
  const [python] = pythons;
  const pin = python?.pin;
  if (!pin) {
    const problem = python
      ? `Python 3.${python.minor} is too old for Ansible.`
      : "Python 3 is missing.";
    const advice = "Install Python 3.9 or later to let Callboard install Ansible.";
    announce("missing", `${problem} ${advice}`, "warn");
    return false;
  }
  const directory = ansibleDir(dataDir);
  const version = readRequirements(await Deno.readTextFile(pin.file)).get("ansible-core");
  announce(
    "installing",
    `Installing ansible-core ${version} into ${directory}. This happens only once …`,
  );
  await Deno.remove(directory, { recursive: true }).catch(() => {});
  // The account that runs tasks must be able to use it. The data folder around it is closed to
  // others.
  Deno.umask(0o022);
  if (!await makeVirtualenv(directory, pythons.filter((python) => python.pin === pin))) {
    return false;
  }
  const install = [`${directory}/bin/python`, "-m", "pip", "install", "--quiet"];
  install.push("--require-hashes", "--requirement", pin.file);
  const env = { PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_NO_CACHE_DIR: "1" };
  const temporary = join(dataDir, "wheels.tmp");
  try {
    const wheels = await findWheels(temporary);
    const offline = wheels === null ? [] : ["--no-index", "--find-links", wheels];
    if (await succeeds([...install, ...offline], { env, limitMs: INSTALL_LIMIT_MS })) return true;
    if (wheels === null) return printOffline();
    // The wheels are for other machines, such as one with musl.
    return await succeeds(install, { env, limitMs: INSTALL_LIMIT_MS });
  } finally {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
  }
}

function printOffline(): false {
  const { name, folder } = expectedArchive();
  const advice = `Without a network, put ${name} into ${folder} and start again.`;
  announce("not_downloaded", `Ansible could not be downloaded. ${advice}`, "warn");
  return false;
}

/** Makes a virtualenv with the first of these Pythons that can. */
async function makeVirtualenv(directory: string, pythons: Python[]): Promise<boolean> {
  for (const { command } of pythons) {
    // Debian's python3 does not include the module that creates virtualenvs.
    const canMake = await printed([command, "-c", "import ensurepip, venv"]) !== null ||
      command === MACHINE_PYTHON && await installDebianPackages("python3-venv");
    if (canMake && await succeeds([command, "-m", "venv", directory])) {
      await succeeds([`${directory}/bin/python`, "-c", COLLECT_RARELY]);
      return true;
    }
  }
  return false;
}
