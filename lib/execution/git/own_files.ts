import { join } from "node:path";
import { collectProcess } from "../process/supervise.ts";
import type { Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { percentDecoded } from "./address.ts";

/** The demo's repository, which the server itself has put into its data folder. */
const DEMO = "demo.git";
/** More paths than anyone's requirements have. */
const PATHS_MAX = 200;

/**
 * Prints the folders, without links, that git reads for a path: the one with this name, or with
 * ".git" after it, its repository, its objects, and those that it borrows. For a file it prints
 * the folder around it. The shell asks the kernel, because git follows links too, also those of
 * /proc.
 */
const FIND_FOLDERS = `
real() { (cd -P -- "$1" 2>/dev/null && pwd -P); }
found=
for folder in "$1" "$1.git"; do
  cd -P -- "$folder" 2>/dev/null || continue
  found=1
  pwd -P
  for git in .git .; do
    if [ -f "$git" ] || [ -f "$git/commondir" ] || [ -s "$git/objects/info/alternates" ]; then
      {
        git rev-parse --absolute-git-dir --git-path objects
        git -c core.quotePath=false count-objects -v | sed -n 's/^alternate: //p'
      } 2>/dev/null | while IFS= read -r its; do real "$its"; done
    fi
    real "$git/objects"
  done
done
[ "$found" ] || real "$(dirname -- "$(realpath -- "$1" 2>/dev/null || echo "$1")")"`;

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
  const data = await Deno.realPath(env.dataDir);
  const allowed = [join(data, DEMO), await Deno.realPath(directory.path)];
  for (const url of local) {
    const { stdout } = await collectProcess(
      {
        command: ["sh", "-c", FIND_FOLDERS, "sh", pathOf(url)],
        cwd: directory.path,
        env: { ...gitEnv, PATH: env.path },
        limitMs: env.timeLimits.gitMs,
      },
      supervision,
    );
    const isOwn = stdout.split("\n").some((folder) =>
      lies(folder, data) && !allowed.some((other) => lies(folder, other))
    );
    if (isOwn) throw runError("errors.run.repository_in_data", { url });
  }
}

const lies = (folder: string, inside: string): boolean =>
  join(folder, "/").startsWith(join(inside, "/"));

/** Returns the path of an address as git reads it. */
const pathOf = (url: string): string =>
  (url.startsWith("/")
    ? url
    // Git decodes each escape on its own, except for NUL.
    : url.slice("file://".length).replace(/(?:%(?!00)[0-9a-f]{2})+/gi, percentDecoded))
    .replace(/(?<!\/)\/+$/, "");
