import { dirname, join } from "node:path";
import { sleep } from "../../../base/time/pause.ts";
import { removeTree } from "../../process/files.ts";
import { createTraversableDir } from "../../process/isolation.ts";
import { withLock } from "../../process/lock.ts";
import { shell } from "../../process/shell.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment } from "../../process/variables.ts";
import { type Container, type RunContext, runError } from "../../run/context.ts";
import type { RunEnvironment } from "../../run/environment.ts";
import type { PackageSources } from "../../run/package_sources.ts";
import { findImage, inContainer } from "../container.ts";
import type { ToolchainPlan } from "../plan.ts";
import { buildToolchain } from "./toolchain_build.ts";
import { galaxyServerOf } from "./toolchain_collections.ts";
import { coreRequirement } from "./toolchain_lines.ts";

/** Toolchains not used for this long are removed. */
const UNUSED_DAYS_MAX = 60;
const DAY_MS = 86_400_000;
const toolchainsDirectory = (dataDir: string) => join(dataDir, "toolchains");

/** An Ansible that a run uses, with the first line of its version. */
interface ProvidedAnsible {
  playbook: string;
  galaxy: string;
  version: string;
  container?: Container;
}

/**
 * Returns the run with the Ansible of a toolchain, which is built if this machine does not have it
 * yet. Throws 422 with pip's message, or if there is none at a path.
 */
export async function withToolchain(
  context: RunContext,
  toolchain: ToolchainPlan,
): Promise<{ context: RunContext; version: string }> {
  const { playbook, galaxy, version, container } = await PROVIDERS[toolchain.kind](
    context,
    toolchain,
  );
  await context.say(`Using ${version} of the toolchain ${toolchain.name}`);
  return {
    context: { ...context, container, env: { ...context.env, ansible: { playbook, galaxy } } },
    version,
  };
}

type Provide = (context: RunContext, toolchain: ToolchainPlan) => Promise<ProvidedAnsible>;
const PROVIDERS: Record<ToolchainPlan["kind"], Provide> = {
  built: provideBuilt,
  path: findAtPath,
  image: findInImage,
};

async function findInImage(
  context: RunContext,
  toolchain: ToolchainPlan,
): Promise<ProvidedAnsible> {
  const container = await findImage(context, toolchain);
  const { env, directory, supervision } = await inContainer({ ...context, container }, []);
  const playbook = "ansible-playbook";
  const { exitCode, stdout, stderr } = await collectProcess({
    command: [playbook, "--version"],
    cwd: directory.path,
    env: { ...env.variables, ...baseEnvironment(env.path, directory.path) },
    limitMs: VERSION_LIMIT_MS,
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode !== 0) throw unusable(context, toolchain, stderr);
  const version = stdout.split("\n")[0].slice(0, VERSION_MAX);
  return { playbook, galaxy: "ansible-galaxy", version, container };
}

const unusable = ({ mask }: RunContext, { name }: ToolchainPlan, stderr: string) =>
  runError("errors.run.toolchain_unusable", {
    name,
    said: mask(stderr.trim().slice(-SAID_MAX), false),
  });

/** Prints the first of the files that can be started, then its version. */
const ASK = `for file; do
  [ -f "$file" ] && [ -x "$file" ] || continue
  printf '%s\\n' "$file"
  PATH=$(dirname "$file"):$PATH exec "$file" --version
done
exit 127`;

async function findAtPath(
  context: RunContext,
  toolchain: ToolchainPlan,
): Promise<ProvidedAnsible> {
  const { name, path } = toolchain;
  const { env, directory, supervision } = context;
  const files = ["bin/ansible-playbook", "ansible-playbook"].map((file) => join(path, file));
  const { exitCode, stdout, stderr } = await collectProcess({
    command: ["sh", "-c", ASK, "sh", ...files],
    cwd: directory.path,
    env: { ...env.variables, ...baseEnvironment(env.path, directory.path) },
    limitMs: VERSION_LIMIT_MS,
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode === 127) throw runError("errors.run.toolchain_missing", { name, path });
  const [playbook, version = ""] = stdout.split("\n");
  if (exitCode !== 0 || !playbook) throw unusable(context, toolchain, stderr);
  return { playbook, galaxy: galaxyOf(playbook), version: version.slice(0, VERSION_MAX) };
}

const VERSION_LIMIT_MS = 60_000;
const SAID_MAX = 1_000;
const VERSION_MAX = 200;

const galaxyOf = (playbook: string) => join(dirname(playbook), "ansible-galaxy");

/**
 * Returns the name of a toolchain's folder, which depends only on what it is built of. What was
 * built with a project's token is for that project.
 */
async function lockOf(packages: PackageSources, toolchain: ToolchainPlan): Promise<string> {
  const { ansibleCore, pip, collections, python } = toolchain;
  const galaxy = galaxyServerOf(packages, toolchain);
  const input = [
    ...[coreRequirement(ansibleCore), pip.toSorted(), collections.toSorted(), python],
    ...galaxy ? [galaxy.url, galaxy.owner] : [],
  ];
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(JSON.stringify(input)),
  );
  return new Uint8Array(digest).toHex().slice(0, 32);
}

async function provideBuilt(
  context: RunContext,
  toolchain: ToolchainPlan,
): Promise<ProvidedAnsible> {
  const { env, supervision } = context;
  const parent = toolchainsDirectory(env.dataDir);
  await createTraversableDir(env.isolation, parent);
  const folder = join(await Deno.realPath(parent), await lockOf(env.packages, toolchain));
  const known = await findBuilt(folder);
  if (known) return known;
  const waiting = `Waiting for the toolchain ${toolchain.name}, which another task is building`;
  return await withLock(
    `${folder}.lock`,
    supervision.stop,
    async () => {
      const built = await findBuilt(folder);
      if (built) return built;
      await removeTree(folder); // Its Python is gone.
      const version = await buildAt(context, toolchain, folder);
      return { ...commandsIn(folder), version };
    },
    () => {
      // If the log takes no lines, the next line of this run fails, too.
      context.say(waiting).catch(() => {});
    },
  );
}

async function buildAt(
  context: RunContext,
  toolchain: ToolchainPlan,
  folder: string,
): Promise<string> {
  const fresh = `${folder}.new`;
  try {
    const version = await buildToolchain(context, toolchain, { fresh, folder });
    await Deno.writeTextFile(versionFile(folder), version, { mode: 0o600 });
    await Deno.rename(fresh, folder);
    return version;
  } finally {
    await removeTree(fresh);
  }
}

const commandsIn = (folder: string) => {
  const playbook = join(folder, "bin", "ansible-playbook");
  return { playbook, galaxy: galaxyOf(playbook) };
};

/** File beside a built toolchain, where no run may write. */
const versionFile = (folder: string) => `${folder}.version`;

/**
 * Returns a built toolchain, and notes that it was used. Null if there is none, or if the Python
 * that it was built with is gone.
 */
async function findBuilt(folder: string): Promise<ProvidedAnsible | null> {
  const version = await Deno.readTextFile(versionFile(folder)).catch(() => null);
  if (version === null || !await Deno.stat(folder).then(() => true, () => false)) return null;
  // The shell looks, because a Python lies outside of what the server may read.
  const { success } = await shell('[ -x "$1/bin/python" ]', folder);
  if (!success) return null;
  // Fails if it was just removed as unused.
  const isKept = await Deno.utime(folder, new Date(), new Date()).then(() => true, () => false);
  return isKept ? { ...commandsIn(folder), version } : null;
}

/** Whether a toolchain is built on this machine, and its version. */
export async function builtVersion(
  { dataDir, packages }: Pick<RunEnvironment, "dataDir" | "packages">,
  toolchain: ToolchainPlan,
): Promise<string | null> {
  const folder = join(toolchainsDirectory(dataDir), await lockOf(packages, toolchain));
  const exists = await Deno.stat(folder).then(() => true, () => false);
  return exists ? await Deno.readTextFile(versionFile(folder)).catch(() => null) : null;
}

/**
 * Removes toolchains that no task has used for a long time, and unfinished ones. Called at the
 * start, before anything is built.
 */
export async function pruneToolchains(dataDir: string): Promise<void> {
  const parent = toolchainsDirectory(dataDir);
  const entries = await Array.fromAsync(Deno.readDir(parent)).catch(() => []);
  const kept = new Set<string>();
  for (const { name } of entries.filter(({ isDirectory }) => isDirectory)) {
    const folder = join(parent, name);
    if (name.endsWith(".new") || await isUnused(folder)) await removeTree(folder);
    else kept.add(name);
  }
  for (const { name } of entries.filter(({ isFile }) => isFile)) {
    if (!kept.has(name.replace(/\.\w+$/, ""))) await Deno.remove(join(parent, name));
  }
}

const isUnused = async (folder: string): Promise<boolean> => {
  const { mtime } = await Deno.stat(folder);
  return (mtime?.getTime() ?? 0) < Date.now() - UNUSED_DAYS_MAX * DAY_MS;
};

/** Removes toolchains that no task has used for a long time, while others are built and used. */
async function removeUnusedToolchains(dataDir: string, stop: AbortSignal): Promise<void> {
  const parent = toolchainsDirectory(dataDir);
  const entries = await Array.fromAsync(Deno.readDir(parent)).catch(() => []);
  for (const { name, isDirectory } of entries) {
    const folder = join(parent, name);
    if (!isDirectory || name.endsWith(".new") || !await isUnused(folder)) continue;
    // A task that needs it now waits, and builds it again. The lock's file stays for it.
    await withLock(`${folder}.lock`, stop, async () => {
      if (!await isUnused(folder)) return;
      // Moved first, because a task must not find a part of it.
      await Deno.rename(folder, `${folder}.new`);
      await Deno.remove(versionFile(folder));
      await removeTree(`${folder}.new`);
    });
  }
}

interface RemovingOptions {
  everyMs?: number;
  /** Carries out each turn, and may note how long it takes. */
  watch?(work: () => Promise<void>): Promise<void>;
}

/** Calls `removeUnusedToolchains` once a day. Returns a function that ends it. */
export function startRemovingUnused(
  dataDir: string,
  onError: (error: unknown) => void,
  { everyMs = DAY_MS, watch = (work) => work() }: RemovingOptions = {},
): { readonly name: string; stop(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;
  async function work() {
    for (;;) {
      await sleep(everyMs, { signal, ref: false });
      if (signal.aborted) return;
      await watch(() => removeUnusedToolchains(dataDir, signal)).catch((error) => {
        if (!signal.aborted) onError(error);
      });
    }
  }
  const working = work();
  return {
    name: "toolchains",
    async stop() {
      closing.abort();
      await working;
    },
  };
}
