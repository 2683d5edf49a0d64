import { fileURLToPath } from "node:url";
import { inData, ownFolders, refuseOwnFiles } from "../../git/own_files.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment, type Variables } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import type { RequiredEntry } from "./entries.ts";
import type { RequiredFile } from "./read.ts";
import type { UsedRequirement } from "../../run/used_requirements.ts";

const LOCAL = fileURLToPath(new URL("./local_sources.sh", import.meta.url));
const INSTALLED = fileURLToPath(new URL("./installed.sh", import.meta.url));

/** The checkout that requirement files are in. */
export interface RequirementsRoot {
  root: string;
  /** Null for a folder that is used in place. */
  commit: string | null;
  /** Folder of the run, from which paths start. */
  cwd: string;
}

/**
 * Returns what the content of local sources depends on: the checkout's commit, or their own
 * digests. Refuses those in the data folder.
 */
export async function localSources(
  context: RunContext,
  { root, commit, cwd }: RequirementsRoot,
  files: RequiredFile[],
): Promise<string[]> {
  const paths = files.flatMap(({ entries }) => entries).filter(({ from }) => from === "local")
    .map(({ address }) => address);
  if (paths.length === 0) return [];
  const lines = await printed(context, LOCAL, root, cwd, commit === null ? "1" : "0", ...paths);
  const isOwn = await ownFolders(context.env, context.directory);
  return lines.map(([where, digest, real], n) => {
    if (real !== undefined && isOwn(real)) throw inData(paths[n]);
    return where === "inside" && commit !== null ? commit : digest ?? "";
  });
}

/** Refuses roles and collections from the data folder, as far as the files name them literally. */
export const refuseOwnSources = (
  context: RunContext,
  files: RequiredFile[],
  gitEnv: Variables,
): Promise<void> =>
  refuseOwnFiles(context, files.flatMap(({ entries }) => entries.flatMap(literalPaths)), gitEnv);

const literalPaths = ({ from, address }: RequiredEntry): string[] =>
  from === "git" || from === "local" && address.startsWith("/") ? [address] : [];

/** Returns the roles and collections of an installation that belong to entries, or to no entry. */
export async function installedContent(
  context: RunContext,
  folder: string,
  entries: RequiredEntry[],
): Promise<UsedRequirement[]> {
  const ofEntry = (kind: UsedRequirement["kind"], name: string) =>
    entries.find((entry) => entry.kind === kind && entry.name === name);
  const used: UsedRequirement[] = [];
  for (const [what, name, text = ""] of await printed(context, INSTALLED, folder)) {
    const kind = what === "role" ? "role" : "collection";
    const entry = ofEntry(kind, name);
    // Those of git are known by their commits.
    if (entry?.from === "git") continue;
    const version = entry?.version ?? "";
    const resolved = text.replace(/^(["'])(.*)\1$/, "$2");
    const isDependency = !entry && what === "galaxy";
    used.push({ kind, name, version, resolved, ...isDependency && { dependency: true } });
  }
  return used;
}

async function printed({ env, directory, supervision }: RunContext, ...command: string[]) {
  const { stdout, stderr, exitCode, limitReached } = await collectProcess({
    command: ["sh", ...command],
    cwd: directory.path,
    env: baseEnvironment(env.path, directory.path),
    limitMs: env.timeLimits.gitMs,
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode !== 0 || limitReached) {
    throw runError("errors.run.unforeseen", { detail: stderr.slice(0, 300) });
  }
  return stdout.split("\n").filter(Boolean).map((line) => line.split("\t"));
}
