import { join, relative, resolve } from "node:path";
import { removeTree } from "../process/files.ts";
import { CODE, PROJECT_FOLDERS } from "../process/folders.ts";
import { noSandbox, type Sandbox } from "../process/isolation.ts";
import { isWithin } from "../process/look_at_paths.ts";
import { LATE_VARIABLES } from "../process/late_variables.ts";
import { withLock } from "../process/lock.ts";
import { shell } from "../process/shell.ts";
import { collectProcess, runProcess } from "../process/supervise.ts";
import { baseEnvironment } from "../process/variables.ts";
import { type Container, type RunContext, runError } from "../run/context.ts";
import { PLUGINS } from "./environment.ts";
import { CONTAINER as SCRIPT } from "./machine_tools.ts";
import type { ToolchainPlan } from "./plan.ts";

const LIMIT_MS = 60_000;
const SAID_MAX = 1_000;

/** First process of a container. Without it, Ansible would be that, and get no signal. */
const FIRST = `"$@" & child=$!
trap 'kill -s TERM "$child"' TERM INT HUP
while :; do
  wait "$child"
  status=$?
  kill -s 0 "$child" 2>/dev/null || exit "$status"
done`;

/** File of a data folder that says that it may have containers. */
const markOf = (dataDir: string) => join(dataDir, "containers");
const label = (name: string, value: string) => `callboard.${name}=${value}`;

/** Returns an image, and pulls it if this machine does not have it. Throws 422 with the reason. */
export async function findImage(
  context: RunContext,
  { name, image = "" }: ToolchainPlan,
): Promise<Container> {
  const { env: { dataDir }, supervision: { stop } } = context;
  await Deno.writeTextFile(markOf(dataDir), "", { mode: 0o600 });
  return await withLock(`${markOf(dataDir)}.lock`, stop, async () => {
    const known = await inspectImage(context, image);
    if (known) return known;
    await pull(context, name, image);
    const pulled = await inspectImage(context, image);
    if (pulled) return pulled;
    throw runError("errors.run.toolchain_podman", { name });
  });
}

async function inspectImage(context: RunContext, image: string): Promise<Container | null> {
  const format = "--format={{.Id}}{{range .Config.Env}}{{println}}{{.}}{{end}}";
  const { exitCode, stdout } = await collectProcess(
    outside(context, ["image", "inspect", format, image]),
    unconfined(context),
  );
  context.supervision.stop.throwIfAborted();
  if (exitCode !== 0) return null;
  const [id, ...variables] = stdout.trim().split("\n");
  const path = variables.find((line) => line.startsWith("PATH="))?.slice(5);
  return {
    image: id,
    path: path ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  };
}

async function pull(context: RunContext, name: string, image: string): Promise<void> {
  const { say, pipe, env: { timeLimits }, supervision } = context;
  await say(`Pulling the image ${image} of the toolchain ${name}`);
  const last: string[] = [];
  const output = pipe((line) => void last.push(line));
  const { exitCode } = await runProcess(
    { ...outside(context, ["pull", image]), limitMs: timeLimits.galaxyMs },
    unconfined(context),
    output.write,
  );
  await output.end();
  supervision.stop.throwIfAborted();
  if (exitCode === 127) throw runError("errors.run.toolchain_podman", { name });
  if (exitCode === 0) return;
  const said = last.join("\n").slice(-SAID_MAX);
  throw runError("errors.run.toolchain_image", { name, image, said });
}

/** A call of podman that concerns no container. */
function outside({ env, directory }: RunContext, command: string[]) {
  return {
    command: ["sh", SCRIPT, env.path, "", ...command],
    cwd: directory.path,
    env: { ...env.variables, ...baseEnvironment(env.path, directory.path) },
    limitMs: LIMIT_MS,
  };
}

const unconfined = ({ supervision }: RunContext) => ({ ...supervision, sandbox: noSandbox });

/**
 * Returns the context in which commands of Ansible run: in the container of the run, if it has one.
 * They see the folders of the run there, and `folders`, and nothing else of the machine.
 */
export async function inContainer(context: RunContext, folders: string[]): Promise<RunContext> {
  const { container, env, directory: { path, sockets }, projectId, supervision } = context;
  if (!container) return context;
  const data = await Deno.realPath(env.dataDir);
  const own = PROJECT_FOLDERS.map((folder) => join(data, folder, String(projectId)));
  const exists = (folder: string) => Deno.stat(folder).then(() => true, () => false);
  const there = await Promise.all(own.map(exists));
  const writable = new Set([path, sockets, ...own.filter((_, n) => there[n])]);
  const foreign = folders.filter((folder) => !`${folder}/`.startsWith(`${path}/`));
  const { account } = env.isolation;
  const mounts = await mountFolders(env, data, foreign);
  const sandbox: Sandbox = {
    outside: [],
    inside: [
      ...["sh", SCRIPT, env.path, account ? `${account.uid}:${account.gid}` : "server", "run"],
      // podman would store the output, with secrets that only Callboard masks.
      ...["--pull=never", "--log-driver=none", "--network=host", "--cap-drop=all"],
      ...["--security-opt=no-new-privileges", "--security-opt=label=disable"],
      ...["--label", label("data", data), "--label", label("run", path)],
      ...mounts,
      ...[...writable].map((part) => volume(part, "rw")),
      ...[...PLUGINS, LATE_VARIABLES].map((part) => volume(part, "ro")),
      `--entrypoint=${JSON.stringify(["sh", "-c", FIRST, "sh"])}`,
      container.image,
    ],
    account,
  };
  return {
    ...context,
    env: { ...env, path: container.path },
    supervision: { ...supervision, sandbox },
  };
}

/**
 * Returns options that mount folders of the machine. They protect the server's own files in them as
 * `bwrap` does. The shell follows links, because the server may not read folders elsewhere. A
 * folder with links has two names inside, because the working folder there has none.
 */
async function mountFolders(
  { isolation: { hidden } }: RunContext["env"],
  data: string,
  folders: string[],
): Promise<string[]> {
  if (folders.length === 0) return [];
  const lines = async (script: string, paths: string[]) =>
    (await shell(script, ...paths)).stdout.split("\n").filter(Boolean);
  const real = await lines('realpath -m -- "$@"', folders);
  const names = [...real, ...folders.map((folder) => resolve(folder))];
  const named = new Map(names.map((name, n) => [name, real[n % real.length]]));
  const hides = await lines(EXISTING, [...hidden.folders, ...hidden.files]);
  const closed = [data, ...hidden.folders.filter((path) => hides.includes(path))];
  const masked = hidden.files.filter((path) => hides.includes(path));
  return [...named].flatMap(([name, target]) => {
    if (hidden.folders.some((folder) => isWithin(target, folder))) return [`--tmpfs=${name}`];
    // Nothing if it is not in the folder.
    const within = (path: string) =>
      isWithin(path, target) ? [join(name, relative(target, path))] : [];
    return [
      volume(target, "rw", name),
      ...closed.flatMap(within).map((path) => `--tmpfs=${path}`),
      ...masked.flatMap(within).map((path) => volume("/dev/null", "ro", path)),
      ...within(CODE).map((path) => volume(CODE, "ro", path)),
    ];
  });
}

/** Prints the paths that exist, because podman would create the others. */
const EXISTING = `for path; do [ ! -e "$path" ] || printf '%s\\n' "$path"; done`;

const volume = (part: string, mode: "rw" | "ro", name = part) => `--volume=${part}:${name}:${mode}`;

/** Removes the containers of a run that were killed together with their processes. */
export async function removeContainers({ container, directory }: RunContext): Promise<void> {
  if (container) await shell(REMOVE, SCRIPT, label("run", directory.path));
}

/** Removes the containers that a killed server has left behind. */
export async function removeLeftContainers(dataDir: string): Promise<void> {
  const mark = markOf(dataDir);
  if (!await Deno.stat(mark).then(() => true, () => false)) return;
  await shell(REMOVE, SCRIPT, label("data", await Deno.realPath(dataDir)));
  await removeTree(mark);
}

const REMOVE = `podman() { sh "$script" "$PATH" "" "$@"; }
script=$1
ids=$(podman ps --all --quiet --filter "label=$2") || exit 0
[ -z "$ids" ] || podman rm --force --volumes --time=0 $ids`;
