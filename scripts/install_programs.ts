import { findAnsible, type UnusableAnsible } from "../lib/execution/ansible/installation.ts";
import type { RunEnvironment } from "../lib/execution/run/environment.ts";
import { requireIsolation } from "../lib/execution/process/prepare_isolation.ts";
import type { Finding } from "../lib/monitoring/checks/finding.ts";
import { checkHome } from "../lib/monitoring/checks/home_check.ts";
import { checkGit, missingAnsible } from "../lib/monitoring/checks/programs.ts";
import { tell } from "../lib/i18n/tell.ts";
import { announce } from "./console.ts";
import { installDebianPackages } from "./debian.ts";
import { installAnsible } from "./install_ansible.ts";

/**
 * Installs git and Ansible if runs would lack them. Reports those that are missing. Throws
 * ConfigError when nothing can run in the configured isolation.
 */
export async function installPrograms(
  environment: RunEnvironment,
  mayInstall: boolean,
): Promise<void> {
  const [git] = await checkGit({ environment });
  if (git.level === "failed" && !(mayInstall && await installDebianPackages("git"))) {
    await printFinding(git);
  }
  await requireIsolation(environment);
  if (environment.isolation.mode === "none") {
    for (const finding of await checkHome({ environment })) await printFinding(finding);
  }
  if (await findAnsible(environment, logUnusable)) return;
  const installed = mayInstall ? await installAnsible(environment) : null;
  if (installed) {
    announce("installed", `Installed ${installed.version.split("\n")[0]}.`);
  } else {
    await printFinding(missingAnsible("failed"));
  }
}

/** Loads the sentences only if there is something to say. */
async function printFinding({ found, next }: Finding): Promise<void> {
  const { translator } = await import("../lib/i18n/translate.ts");
  for (const message of [found, next]) {
    if (message) announce("missing", tell(message, translator("en")), "warn");
  }
}

function logUnusable({ playbook, complaint }: UnusableAnsible): void {
  announce(
    "unusable",
    `${playbook} does not work in tasks, which do not get the server's variables: ${complaint}`,
    "warn",
  );
}
