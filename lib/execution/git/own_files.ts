import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectProcess } from "../process/supervise.ts";
import type { Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { percentDecoded } from "./address.ts";

/** The demo's repository, which the server itself has put into its data folder. */
const DEMO = "demo.git";
/** More paths than anyone's requirements have. */
const PATHS_MAX = 200;

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
  const local = addresses.filter((address) => /^(file:\/\/)?\//.test(address)).slice(0, PATHS_MAX);
  if (local.length === 0) return;
  const isOwn = await ownFolders(env, directory);
  for (const url of local) {
    const { stdout } = await collectProcess(
      {
        command: ["sh", "-c", '. "$1"; find_folders "$2"', "sh", SCRIPT, pathOf(url)],
        cwd: directory.path,
        env: { ...gitEnv, PATH: env.path },
        limitMs: env.timeLimits.gitMs,
      },
      supervision,
    );
    if (stdout.split("\n").some(isOwn)) throw inData(url);
  }
}

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
