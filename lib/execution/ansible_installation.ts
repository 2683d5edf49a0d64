import { join } from "node:path";

/** An Ansible that tasks can be run with. */
export interface AnsibleInstallation {
  /** Absolute paths of the two commands. */
  playbook: string;
  galaxy: string;
  /** The whole text of `ansible-playbook --version`. */
  version: string;
}

/** Where Callboard's own virtualenv is made when the machine has no Ansible. */
export const ansibleDir = (dataDir: string): string => join(dataDir, "ansible");

/** What was found, so that a start need not wait a second for Python to tell a version. */
const recordPath = (dataDir: string) => join(dataDir, "ansible.json");

/** Prints each usable `ansible-playbook`, marked when it did not change since the record was made. */
const LOOK = `
for playbook in "$(command -v ansible-playbook)" "$1/bin/ansible-playbook"; do
  [ -x "$playbook" ] && [ -x "\${playbook%-playbook}-galaxy" ] || continue
  changed=yes
  [ -f "$2" ] && [ -z "$(find -L "$playbook" -cnewer "$2")" ] && changed=no
  printf '%s %s\\n' "$changed" "$playbook"
done`;

/** The machine's Ansible, else the one in the data folder; null when neither works. */
export async function findAnsible(dataDir: string): Promise<AnsibleInstallation | null> {
  const record = await readRecord(dataDir);
  const found = await run("sh", ["-c", LOOK, "sh", ansibleDir(dataDir), recordPath(dataDir)]);
  for (const line of (found ?? "").split("\n").filter(Boolean)) {
    const playbook = line.slice(line.indexOf(" ") + 1);
    if (line.startsWith("no ") && record?.playbook === playbook) return record;
    // Spawned by sh: the server may run nothing else.
    const version = await run("sh", ["-c", '"$1" --version', "sh", playbook]);
    if (!version) continue;
    const galaxy = playbook.replace(/-playbook$/, "-galaxy");
    const installation = { playbook, galaxy, version: version.trim() };
    await Deno.writeTextFile(recordPath(dataDir), JSON.stringify(installation, null, 2) + "\n");
    return installation;
  }
  return null;
}

async function readRecord(dataDir: string): Promise<AnsibleInstallation | null> {
  try {
    return JSON.parse(await Deno.readTextFile(recordPath(dataDir)));
  } catch (error) {
    // One that cannot be read, or was cut short, is made anew.
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What a command prints; null when it fails. */
async function run(command: string, args: string[]): Promise<string | null> {
  const { success, stdout } = await new Deno.Command(command, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}
