import { join } from "node:path";
import {
  addRealProject,
  newRealProject,
  type RealProject,
  type RealProjectOptions,
} from "./real_project.ts";

/** A way to isolate tasks from the server, with the options for a real project. */
export interface IsolationCase {
  name: string;
  mode: "none" | "bwrap" | "user";
  options: RealProjectOptions;
  /** Only root can run tasks with another account. */
  ignore: boolean;
}

const TASK_USER = "callboard-test-tasks";
const AS_TASK_USER = {
  env: { CALLBOARD_TASK_ISOLATION: "user", CALLBOARD_TASK_USER: TASK_USER },
  ansible: ansibleForOthers,
};

/**
 * An account without a name, and the rights that docs/isolation.md requires for a server that is
 * not root.
 */
const SERVER_UID = "64321";
const CAPABILITIES = "-all,+setuid,+setgid,+chown,+fowner,+dac_override,+kill,+sys_ptrace";
const asServer = (capabilities: string) => [
  "setpriv",
  `--reuid=${SERVER_UID}`,
  `--regid=${SERVER_UID}`,
  "--clear-groups",
  `--inh-caps=${capabilities}`,
  `--ambient-caps=${capabilities}`,
  "--",
];

export const ISOLATION_CASES: IsolationCase[] = [
  { name: "none", mode: "none", options: {}, ignore: false },
  {
    name: "bwrap",
    mode: "bwrap",
    options: { env: { CALLBOARD_TASK_ISOLATION: "bwrap" } },
    ignore: false,
  },
  { name: "user", mode: "user", options: AS_TASK_USER, ignore: Deno.uid() !== 0 },
  {
    name: "user, of a server that has capabilities instead of being root",
    mode: "user",
    options: { ...AS_TASK_USER, under: asServer(CAPABILITIES) },
    ignore: Deno.uid() !== 0,
  },
];

/** One case of each mode: for "user" the server with capabilities, because root may do more. */
export const ISOLATION_MODES: IsolationCase[] = ISOLATION_CASES.filter(({ name }) =>
  name !== "user"
);

/** Creates a project for a case. Without isolation, the tests of a module share its server. */
export const isolatedProject = ({ mode, options }: IsolationCase): Promise<RealProject> =>
  mode === "none" ? addRealProject() : newRealProject(options);

/** A server that is not root, and whose tasks are not isolated. It may read only its own files. */
export const ORDINARY_SERVER: IsolationCase = {
  name: "none, of a server that is not root",
  mode: "none",
  options: { ansible: ansibleForOthers, under: asServer("-all,+dac_override") },
  ignore: Deno.uid() !== 0,
};

/**
 * Copies the machine's Ansible to a folder where other accounts can run it, which is often not
 * possible with a developer's own Python. Opens the path to it, and creates the account that runs
 * tasks.
 */
async function ansibleForOthers(home: string): Promise<string> {
  await Deno.chmod(home, 0o711);
  const script = `set -eu
    id "$2" >/dev/null 2>&1 || useradd --system --create-home --user-group "$2" || id "$2"
    bin=$(dirname "$(command -v ansible-playbook)")
    read -r python <"$bin/ansible-playbook"
    packages=$("\${python#??}" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    for base in /usr/bin/python3 "\${python#??}"; do
      [ "$("$base" -c 'import sys; print(sys.version_info[:2])')" = \\
        "$("\${python#??}" -c 'import sys; print(sys.version_info[:2])')" ] && break
    done
    "$base" -m venv --without-pip "$1"
    own=$("$1/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    # Links take a tenth of the time, but need the same disk.
    cp -al "$packages/." "$own" 2>/dev/null || cp -a "$packages/." "$own"
    for name in ansible-playbook ansible-galaxy ansible-inventory; do
      { echo "#!$1/bin/python3"; tail -n +2 "$bin/$name"; } >"$1/bin/$name"
      chmod 755 "$1/bin/$name"
    done`;
  const directory = join(home, "ansible");
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", directory, TASK_USER],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return join(directory, "bin");
}

/** Creates a folder in which tasks of all accounts may leave files. */
export async function makeOpenFolder(path: string): Promise<string> {
  await Deno.mkdir(path);
  await Deno.chmod(path, 0o777);
  return path;
}
