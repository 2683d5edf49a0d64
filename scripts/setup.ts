import { findAnsible } from "../lib/execution/ansible_installation.ts";
import { readConfig } from "../lib/config.ts";
import { build } from "./build.ts";
import { printed } from "./command.ts";
import { say } from "./console.ts";
import { installDebianPackages } from "./debian.ts";
import { installAnsible } from "./install_ansible.ts";

/** Makes sure of what the server needs around it: git and Ansible. What is missing is told. */
async function setUp(dataDir: string, mayInstall: boolean): Promise<void> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (await printed(["git", "--version"]) === null) {
    if (!mayInstall || !await installDebianPackages("git")) {
      say("git is missing: tasks whose repository is not a local folder will end in an error.");
      say("Install the package git, and start again.");
    }
  }
  if (await findAnsible(dataDir)) return;
  const installed = mayInstall ? await installAnsible(dataDir) : null;
  if (installed) {
    say(`Installed ${installed.version.split("\n")[0]}.`);
  } else {
    say("Ansible is missing: the server starts, but every task will end in an error.");
    say("Put ansible-playbook and ansible-galaxy on the PATH, and start again.");
  }
}

if (import.meta.main) {
  const mayInstall = Deno.env.get("CALLBOARD_INSTALL") !== "false";
  await setUp(readConfig(Deno.env, "").dataDir, mayInstall);
  await build();
}
