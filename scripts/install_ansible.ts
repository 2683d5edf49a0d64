import {
  ansibleDir,
  type AnsibleInstallation,
  findAnsible,
} from "../lib/execution/ansible/installation.ts";
import type { TrialEnvironment } from "../lib/execution/process/trial.ts";
import { printed, succeeds } from "./command.ts";
import { say } from "./console.ts";
import { installDebianPackages } from "./debian.ts";

/** The latest ansible-core for each version of Python, latest Python first. */
const PINS: [minorOfPython3: number, ansibleCore: string][] = [
  [11, "2.19.14"],
  [10, "2.17.14"],
  [9, "2.15.13"],
];

/** Time to download and unpack about 60 MB, even on a slow line. */
const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * Installs an Ansible for this server: in a virtualenv of its own, otherwise from Debian's package.
 */
export async function installAnsible(env: TrialEnvironment): Promise<AnsibleInstallation | null> {
  if (await installInVirtualenv(env.dataDir)) {
    const installation = await findAnsible(env);
    if (installation) return installation;
  }
  if (await installDebianPackages("ansible-core") || await installDebianPackages("ansible")) {
    return await findAnsible(env);
  }
  return null;
}

async function installInVirtualenv(dataDir: string): Promise<boolean> {
  const minor = await printed(["python3", "-c", "import sys; print(sys.version_info[1])"]);
  const pin = PINS.find(([needed]) => minor !== null && Number(minor) >= needed);
  if (!pin) {
    say(minor ? `Python 3.${minor} is too old for Ansible.` : "Python 3 is missing.");
    say("Install Python 3.9 or later to let Callboard install Ansible.");
    return false;
  }
  const directory = ansibleDir(dataDir);
  say(`Installing ansible-core ${pin[1]} into ${directory}. This happens only once …`);
  await Deno.remove(directory, { recursive: true }).catch(() => {});
  // The account that runs tasks must be able to use it. The data folder around it is closed to
  // others.
  Deno.umask(0o022);
  if (!await makeVirtualenv(directory)) return false;
  const pip = [`${directory}/bin/python`, "-m", "pip", "install", "--quiet"];
  const env = { PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  return await succeeds([...pip, `ansible-core==${pin[1]}`], { env, limitMs: INSTALL_LIMIT_MS });
}

/** Debian's python3 does not include the module that creates virtualenvs. */
async function makeVirtualenv(directory: string): Promise<boolean> {
  const make = () => succeeds(["python3", "-m", "venv", directory]);
  if (await printed(["python3", "-c", "import ensurepip, venv"]) !== null) return await make();
  return await installDebianPackages("python3-venv") && await make();
}
