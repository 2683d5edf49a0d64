import { join } from "node:path";
import type { Secret } from "../../../base/secret.ts";
import { removeTree } from "../../process/files.ts";
import { createPrivateDir, type Isolation } from "../../process/isolation.ts";
import { shell } from "../../process/shell.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment, type Variables } from "../../process/variables.ts";
import { type RunContext, runError, withContext } from "../../run/context.ts";
import { COLLECT_RARELY } from "./collect_rarely.ts";
import { PROBE } from "../machine_tools.ts";
import type { ToolchainPlan } from "../plan.ts";
import { installCollections } from "./toolchain_collections.ts";
import { coreRequirement, pythonsFor } from "./toolchain_lines.ts";
import { type Building, printed, step } from "./toolchain_steps.ts";

/** Not the id of a project, so that a build reaches no folder of one. */
const NO_PROJECT = 0;

/**
 * Builds a toolchain in the folder `fresh`, which is then complete for a move to `folder`. Its
 * commands run in the isolation of tasks. Returns the first line of Ansible's version.
 */
export async function buildToolchain(
  context: RunContext,
  toolchain: ToolchainPlan,
  { fresh, folder }: Folders,
): Promise<string> {
  const { env, supervision: { stop, forceStop }, say, pipe, mask } = context;
  await removeTree(fresh);
  await createPrivateDir(env.isolation, fresh);
  const stage = {
    projectId: NO_PROJECT,
    name: `toolchain-${folder.split("/").at(-1)}`,
    log: { say, pipe, mask },
    stop,
    forceStop,
    writable: fresh,
  };
  const version = await withContext(
    env,
    stage,
    (building) => carryOut(building, toolchain, { fresh, folder }),
  );
  stop.throwIfAborted();
  await protect(env.isolation, fresh);
  return version;
}

interface Folders {
  fresh: string;
  folder: string;
}

async function carryOut(
  context: RunContext,
  toolchain: ToolchainPlan,
  { fresh, folder }: Folders,
): Promise<string> {
  const { directory, env } = context;
  const building: Building = { context, toolchain, env: await environmentOf(context) };
  const { uv, python, version } = await findPython(building);
  const { name } = toolchain;
  await context.say(
    `Building the toolchain ${name} with ${uv ? "uv" : "pip"} and Python ${version}`,
  );
  const lines = [coreRequirement(toolchain.ansibleCore), ...toolchain.pip].filter(Boolean);
  const requirements = await directory.write("requirements.txt", lines.join("\n") + "\n");
  const own = join(fresh, "bin", "python");
  await step(
    building,
    uv
      ? [uv, "venv", "--quiet", "--allow-existing", "--python", python, fresh]
      : [python, "-m", "venv", fresh],
  );
  await step(building, [
    ...(uv
      ? [uv, "pip", "install", "--no-cache", "--link-mode=copy", "--python", own]
      : [own, "-m", "pip", "install", "--no-cache-dir", "--no-input", "--progress-bar=off"]),
    ...sourceOptions(env.packages.wheels),
    "--requirement",
    requirements,
  ]);
  if (toolchain.collections.length > 0) await installCollections(building, fresh);
  const said = await printed(building, [join(fresh, "bin", "ansible-playbook"), "--version"]);
  await step(building, [own, "-c", MOVE + COLLECT_RARELY, fresh, folder]);
  return said.split("\n")[0].slice(0, 200);
}

/** Replaces the folder's name in the programs of a virtualenv, whose first lines have it. */
const MOVE = `
import pathlib, sys
old, new = (name.encode() for name in sys.argv[1:3])
for file in pathlib.Path(sys.argv[1], "bin").iterdir():
    if file.is_file() and not file.is_symlink():
        text = file.read_bytes()
        if old in text:
            file.write_bytes(text.replace(old, new))
`;

/** A mirror's address may have a password, so that it is a variable: no one sees those. */
const sourceOptions = (wheels: string | Secret | null): string[] =>
  typeof wheels === "string" ? ["--no-index", `--find-links=${wheels}`] : [];

async function environmentOf(
  { env, directory: { path } }: RunContext,
): Promise<Variables> {
  const temp = join(path, "tmp");
  await createPrivateDir(env.isolation, temp);
  const { wheels } = env.packages;
  const { SSL_CERT_FILE } = env.variables;
  const index = typeof wheels === "string" ? null : wheels;
  return {
    ...env.variables,
    ...baseEnvironment(env.path, path),
    TMPDIR: temp,
    ANSIBLE_LOCAL_TEMP: temp,
    ANSIBLE_NOCOWS: "1",
    PYTHONUNBUFFERED: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    UV_NO_PROGRESS: "1",
    UV_PYTHON_DOWNLOADS: "never",
    UV_NO_CONFIG: "1",
    ...(SSL_CERT_FILE ? { PIP_CERT: SSL_CERT_FILE } : {}),
    ...(index ? { PIP_INDEX_URL: index, UV_DEFAULT_INDEX: index } : {}),
  };
}

/** Prints uv's path or "-", then the first suitable Python and its version. */
const FIND = `${PROBE}
for version in "$@" ''; do
  python=$(command -v "python3\${version#3}") || continue
  found=$(probe "$python") || continue
  for wanted; do
    case $found in "$wanted "*) printf '%s\\n' "$uv" "$found"; exit 0 ;; esac
  done
done
exit 1`;

async function findPython({ context, toolchain, env }: Building) {
  const { directory, supervision } = context;
  const wanted = pythonsFor(toolchain.ansibleCore, toolchain.python);
  const { exitCode, stdout } = await collectProcess({
    command: ["sh", "-c", FIND, "sh", ...wanted],
    cwd: directory.path,
    env,
    limitMs: 60_000,
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode !== 0) {
    const { name } = toolchain;
    throw runError("errors.run.toolchain_python", { name, versions: wanted.join(", ") });
  }
  const [uv, found] = stdout.split("\n");
  const at = found.indexOf(" ");
  return { uv: uv === "-" ? null : uv, version: found.slice(0, at), python: found.slice(at + 1) };
}

/** Gives a finished toolchain back to the server, so that no task changes what others run. */
async function protect({ account }: Isolation, fresh: string): Promise<void> {
  if (!account) return;
  const { success, stderr } = await shell(PROTECT, fresh, String(account.gid));
  if (!success) throw new Error(stderr);
}

const PROTECT = `chown -hR "$(id -u):$2" "$1" && chmod -R u+rwX,g=rX,o= "$1"`;
