import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectProcess } from "../process/supervise.ts";
import type { Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { percentDecoded } from "./address.ts";

/** The demo's repository, which the server itself has put into its data folder. */
const DEMO = "demo.git";

const SCRIPT = fileURLToPath(new URL("./find_folders.sh", import.meta.url));

/**
 * Refuses addresses of folders and files in the data folder, except for the demo's repository and
 * the run's own folder. Without isolation, runs could read other projects' repositories there, and
 * the credentials of a server or a runner.
 */
export async function refuseOwnFiles(
  { env, directory, supervision }: RunContext,
  addresses: string[],
  gitEnv: Variables = {},
): Promise<void> {
  // Git's relative paths start at a folder of the run, which is in the data folder.
  const above = addresses.find((address) => /^[^:/]*\/(.*\/)?\.\.(\/|$)|^\.\.(\/|$)/.test(address));
  if (above !== undefined) throw inData(above);
  const local = addresses.filter((address) => /^(file:\/\/)?\//.test(address));
  if (local.length === 0) return;
  const isOwn = await ownFolders(env, directory);
  const { stdout, exitCode } = await collectProcess(
    {
      command: ["sh", "-c", FIND_ALL, "sh", SCRIPT, ...local.map(pathOf)],
      cwd: directory.path,
      env: { ...gitEnv, PATH: env.path },
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
  );
  supervision.stop.throwIfAborted();
  const [n] = stdout.split("\n").map((line) => line.split("\t"))
    .find(([, folder]) => folder !== undefined && isOwn(folder)) ?? [];
  if (n !== undefined) throw inData(local[Number(n)]);
  if (exitCode !== 0) throw runError("errors.run.unforeseen", { detail: local[0].slice(0, 300) });
}

/** Prints the folders of each path, each after the number of the path and a tab. */
const FIND_ALL = `. "$1" && shift || exit 1
n=0
for path; do
  (find_folders "$path" "$n	") || :
  n=$((n + 1))
done`;

/** Returns a check whether a folder, without links, is in the data folder and not for runs. */
export async function ownFolders(
  env: RunContext["env"],
  directory: RunContext["directory"],
): Promise<(folder: string) => boolean> {
  const data = await Deno.realPath(env.dataDir);
  const allowed = [join(data, DEMO), directory.path];
  return (folder) => lies(folder, data) && !allowed.some((other) => lies(folder, other));
}

export const inData = (url: string) => runError("errors.run.repository_in_data", { url });

const lies = (folder: string, inside: string): boolean =>
  join(folder, "/").startsWith(join(inside, "/"));

/** Returns the path of an address as git reads it. */
const pathOf = (url: string): string =>
  (url.startsWith("/")
    ? url
    // Git decodes each escape on its own, except for NUL.
    : url.slice("file://".length).replace(/(?:%(?!00)[0-9a-f]{2})+/gi, percentDecoded))
    .replace(/(?<!\/)\/+$/, "");
