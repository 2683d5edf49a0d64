import { dirname, isAbsolute, join } from "node:path";
import { shell } from "../process/shell.ts";
import { type CommandEnvironment, tryCommand } from "../process/try_command.ts";

/** An installation of Ansible that can run tasks. */
export interface AnsibleInstallation {
  /** Absolute paths of the two commands. */
  playbook: string;
  galaxy: string;
  /** The whole text of `ansible-playbook --version`. */
  version: string;
}

/** Folder of Callboard's own virtualenv, used when the machine has no Ansible. */
export const ansibleDir = (dataDir: string): string => join(dataDir, "ansible");

/** File that records the installation found, because asking Python for a version takes a second. */
const recordPath = (dataDir: string) => join(dataDir, "ansible.json");

/**
 * Prints each `ansible-playbook` that has an `ansible-galaxy` beside it, as "old" or "new". It is
 * "old" if it has not changed since the record was made and is itself the Python script: a shim may
 * lead to another one later.
 */
const LOOK = `
IFS=:
for directory in $3 "$1/bin"; do
  playbook=$directory/ansible-playbook
  [ -x "$playbook" ] && [ -x "$directory/ansible-galaxy" ] || continue
  age=new
  read -r line <"$playbook" 2>/dev/null
  case $line in
    '#!'*/env*) ;;
    '#!'*python*) [ -f "$2" ] && [ -z "$(find -L "$playbook" -cnewer "$2")" ] && age=old ;;
  esac
  printf '%s %s\\n' "$age" "$playbook"
done`;

/** An installation of Ansible that does not work, and its message. */
export interface UnusableAnsible {
  playbook: string;
  complaint: string;
}

/**
 * Returns the first Ansible on the PATH that works in a run's environment, otherwise the one in the
 * data folder. Returns null when none works. Reports those that do not work to `onUnusable`.
 */
export async function findAnsible(
  env: CommandEnvironment,
  onUnusable: (found: UnusableAnsible) => void = () => {},
): Promise<AnsibleInstallation | null> {
  const { dataDir } = env;
  const record = await readRecord(dataDir);
  const circumstances = JSON.stringify([env.path, env.isolation]);
  for (const [age, playbook] of await findCandidates(env)) {
    if (age === "old" && record?.playbook === playbook && record.circumstances === circumstances) {
      return record;
    }
    const attempt = await tryCommand(withPathTo(playbook, env), [playbook, "--version"]);
    if (!attempt.works) {
      onUnusable({ playbook, complaint: attempt.complaint });
      continue;
    }
    const galaxy = playbook.replace(/-playbook$/, "-galaxy");
    const found = { playbook, galaxy, version: attempt.stdout.trim() };
    const made: Record = { ...found, circumstances };
    await Deno.writeTextFile(recordPath(dataDir), JSON.stringify(made, null, 2) + "\n");
    return found;
  }
  return null;
}

/** The installation found, and the circumstances in which it worked. */
interface Record extends AnsibleInstallation {
  circumstances: string;
}

async function findCandidates({ dataDir, path }: CommandEnvironment): Promise<string[][]> {
  const { stdout } = await shell(LOOK, ansibleDir(dataDir), recordPath(dataDir), path);
  const lines = stdout.split("\n").filter(Boolean);
  return lines.map((line) => [line.slice(0, 3), line.slice(4)]);
}

/** Puts the folder of Ansible's commands first on the PATH. */
export const withPathTo = <E extends { path: string }>(playbook: string, env: E): E => ({
  ...env,
  path: isAbsolute(playbook) ? `${dirname(playbook)}:${env.path}` : env.path,
});

async function readRecord(dataDir: string): Promise<Record | null> {
  try {
    return JSON.parse(await Deno.readTextFile(recordPath(dataDir)));
  } catch (error) {
    // A record that cannot be read, or was cut short, is made again.
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}
