import { join } from "node:path";
import { chownTreeToTask } from "../process/isolation.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { Commit } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { git } from "./git.ts";
import type { MirroredCommit } from "./fetch.ts";
import { fetchLargeFiles } from "./lfs.ts";
import { refusingHost } from "./refusal.ts";
import { refuseOwnFiles } from "./own_files.ts";

/**
 * Creates a working tree that borrows the mirror's objects, so that runs cannot disturb each other.
 */
export async function checkOut(
  context: RunContext,
  access: GitAccess,
  commit: MirroredCommit,
  directory: string,
): Promise<Commit> {
  const { mirror, hash } = commit;
  await makeRepository(directory, commit, access.address.url);
  await chownTreeToTask(context.env.isolation, directory);
  const [, about] = await Promise.all([
    git(context, access, directory, ["checkout", "--quiet", "--detach", "--force", hash]),
    git(context, access, mirror, ["-c", `alias.about=!${ABOUT}`, "about", hash]),
  ]);
  const [message, usesLfs] = about.split("\0");
  const hasSubmodules = await updateSubmodules(context, access, directory);
  if (usesLfs || hasSubmodules) {
    if (usesLfs) await context.say("Fetching files from Git LFS");
    await fetchLargeFiles(context, access, directory, mirror);
  }
  return { hash, message: message.trimStart().split("\n")[0]!.trim() };
}

/**
 * Prints the message of a commit, and after it whether some of its files may be in Git LFS. One
 * process for both, because each start needs them.
 */
const ABOUT = `f() { git log -1 --no-show-signature --format=%B "$1" && printf '\\0' && ` +
  `{ git grep -q -F -e filter=lfs "$1" -- ":(glob)**/.gitattributes" && echo lfs; :; }; }; f`;

/** Creates the files of `git init`, with the mirror's objects. This saves one process per start. */
async function makeRepository(
  directory: string,
  { mirror, hash, history }: MirroredCommit,
  url: string,
) {
  const git = join(directory, ".git");
  await Deno.mkdir(join(git, "objects", "info"), { recursive: true, mode: 0o700 });
  await Deno.mkdir(join(git, "refs"), { mode: 0o700 });
  const quoted = url.replace(/["\\]/g, "\\$&");
  await Promise.all(
    Object.entries({
      "HEAD": "ref: refs/heads/main\n",
      "config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n` +
        `\turl = "${quoted}"\n`,
      "objects/info/alternates": `${mirror}/objects\n`,
      "shallow": history ? history.shallow : `${hash}\n`,
      "packed-refs": history?.refs,
    }).map(([name, text]) => text ? Deno.writeTextFile(join(git, name), text) : null),
  );
}

/** Fetches submodules. Returns whether there are any. */
async function updateSubmodules(
  context: RunContext,
  access: GitAccess,
  directory: string,
): Promise<boolean> {
  const some = await Deno.stat(join(directory, ".gitmodules")).then(() => true, () => false);
  if (!some) return false;
  await context.say("Updating submodules");
  const update = (...depth: string[]) =>
    git(context, access, directory, [
      "submodule",
      "--quiet",
      "update",
      "--init",
      "--recursive",
      "--force",
      ...depth,
    ]);
  try {
    await update("--depth=1");
  } catch (error) {
    if (context.supervision.stop.aborted) throw error;
    // Some servers serve a single commit only when it is the latest of a branch.
    await update().catch((error) => {
      throw context.supervision.stop.aborted ? error : submoduleFailure(error);
    });
  }
  // Only here may git fetch from files. What it has fetched is removed with the run.
  if (access.address.kind !== "file") return true;
  const command = [
    "submodule",
    "--quiet",
    "foreach",
    "--recursive",
    "git config remote.origin.url",
  ];
  const urls = await git(context, access, directory, command);
  await refuseOwnFiles(context, urls.split("\n"), access.env);
  return true;
}

/**
 * Translates an error about a submodule's repository, since it does not apply to the one around it.
 */
function submoduleFailure(error: Error): Error {
  if (error.cause === undefined) return error;
  const host = refusingHost(String(error.cause));
  if (host) {
    return Object.assign(runError("errors.run.submodule_credentials", { host }), {
      cause: error.cause,
    });
  }
  return Object.assign(runError("errors.run.submodules_failed"), { cause: error.cause });
}
