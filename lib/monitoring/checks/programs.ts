import { onceFor } from "../../base/once_for.ts";
import {
  type AnsibleInstallation,
  findAnsible,
  type UnusableAnsible,
} from "../../execution/ansible/installation.ts";
import { toolNames } from "../../base/machine/machine_tools.ts";
import { findTools } from "../../execution/ansible/machine_tools.ts";
import { shellWithin } from "../../execution/process/shell.ts";
import type { RunsCheckUp } from "./check_up.ts";
import { type Finding, fine, type Level, problem } from "./finding.ts";

const LIMIT_MS = 5_000;
/** The oldest Python that an Ansible which Callboard installs runs on. */
const PYTHON_MINOR_MIN = 9;

/** Prints the programs that are missing, then the version of OpenSSH. */
const SSH = `PATH=$1
for program in ssh ssh-agent ssh-add sshpass; do
  command -v "$program" >/dev/null || printf '%s ' "$program"
done
echo
version=$(ssh -V 2>&1)
echo "\${version%%,*}"`;

const PYTHON = `PATH=$1
exec python3 -c 'import sys, ensurepip, venv; print(*sys.version_info[:3], sep=".")'`;

export async function checkGit(
  { environment }: Pick<RunsCheckUp, "environment">,
): Promise<Finding[]> {
  const script = "PATH=$1; exec git --version";
  const { success, stdout } = await shellWithin(LIMIT_MS, script, environment.path);
  return [
    success
      ? fine("doctor.program", { version: stdout.trim() })
      : problem("failed", "doctor.git.missing"),
  ];
}

export async function checkSsh({ environment }: RunsCheckUp): Promise<Finding[]> {
  const { stdout } = await shellWithin(LIMIT_MS, SSH, environment.path);
  const [names = "", version = ""] = stdout.split("\n");
  const missing = names.trim().split(" ").filter(Boolean);
  const openSsh = missing.filter((name) => name !== "sshpass");
  if (openSsh.length > 0) {
    return [problem("failed", "doctor.ssh.missing", { programs: openSsh.join(", ") })];
  }
  const found = fine("doctor.program", { version });
  return missing.length === 0 ? [found] : [found, problem("warning", "doctor.ssh.no_sshpass")];
}

/** Checks the Python of Ansible, or the one that would be used to install it. */
export async function checkPython(checkUp: RunsCheckUp): Promise<Finding[]> {
  const { found } = await ansibleOf(checkUp);
  const used = found && /python version = ([\d.]+)/.exec(found.version)?.[1];
  if (used) return [fine("doctor.python.of_ansible", { version: `Python ${used}` })];
  const { success, stdout } = await shellWithin(LIMIT_MS, PYTHON, checkUp.environment.path);
  const version = stdout.trim();
  return [
    success && Number(version.split(".")[1]) >= PYTHON_MINOR_MIN
      ? fine("doctor.program", { version: `Python ${version}` })
      : problem("warning", "doctor.python.missing", { version: `3.${PYTHON_MINOR_MIN}` }),
  ];
}

export async function checkAnsible(checkUp: RunsCheckUp): Promise<Finding[]> {
  const { environment, config, instance, env } = checkUp;
  const { found, unusable } = await ansibleOf(checkUp);
  // The next start installs one. A running server has tried to.
  const isNext = instance === null && env.get("CALLBOARD_INSTALL") !== "false";
  const level = found || isNext ? "warning" : "failed";
  const named = (playbook: string) => playbook.replace(environment.dataDir, config.dataDir);
  const skipped = unusable.map(({ playbook, complaint }) =>
    problem(level, "doctor.ansible.unusable", { playbook: named(playbook), why: complaint })
  );
  if (!found) return skipped.length > 0 ? skipped : [missingAnsible(level)];
  const [version] = found.version.split("\n", 1);
  return [fine("doctor.ansible.found", { version, playbook: named(found.playbook) }), ...skipped];
}

/** Names the programs that toolchains can be built and run with. Not everyone needs them. */
export const checkTools = async ({ environment }: Pick<RunsCheckUp, "environment">) =>
  toolNames(await findTools(environment)).map((version) => fine("doctor.program", { version }));

export const missingAnsible = (level: Level): Finding => problem(level, "doctor.ansible.missing");

interface Ansibles {
  found: AnsibleInstallation | null;
  /** Installations that come before it on the PATH. */
  unusable: UnusableAnsible[];
}

/** Looked for once, because two checks need it and asking Python for a version takes a second. */
const ansibleOf = onceFor(async ({ environment }: RunsCheckUp): Promise<Ansibles> => {
  const unusable: UnusableAnsible[] = [];
  const found = await findAnsible(environment, (one) => unusable.push(one));
  return { found, unusable };
});
