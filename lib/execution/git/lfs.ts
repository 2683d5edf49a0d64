import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeTree, subdirectories } from "../process/files.ts";
import { collectProcess } from "../process/supervise.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { GitAccess } from "./access.ts";
import { refusingHost } from "./refusal.ts";

const SCRIPT = fileURLToPath(new URL("./lfs.sh", import.meta.url));

/** Most characters of a message of git-lfs that are stored with the task. */
const SAID_MAX = 500;

/**
 * Replaces pointers of Git LFS in a checkout and its submodules by their files. They are fetched
 * with the same keys as the repository, and stay beside its mirror. Throws if a pointer remains.
 */
export async function fetchLargeFiles(
  { env, supervision }: RunContext,
  access: GitAccess,
  directory: string,
  mirror: string,
): Promise<void> {
  const { exitCode, limitReached, stdout, stderr } = await collectProcess(
    {
      command: ["sh", SCRIPT, join(mirror, LARGE_FILES)],
      cwd: directory,
      env: { ...access.env, GIT_LFS_FORCE_PROGRESS: "0" },
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
  );
  if (limitReached) {
    const seconds = Math.round(env.timeLimits.gitMs / 1000);
    throw runError("errors.run.git_time_limit", { seconds });
  }
  if (exitCode !== 0) throw Object.assign(lfsFailure(stdout, stderr), { cause: stderr.trim() });
}

/** Folder for files of Git LFS inside a mirror. */
const LARGE_FILES = "lfs";

/** Files that were fetched longer ago than this are removed at the server's next start. */
const DAYS_MAX = 60;

/** Removes old files of Git LFS, and unfinished ones. Called while no run is using them. */
export async function pruneLargeFiles(mirror: string): Promise<void> {
  const oldest = Date.now() - DAYS_MAX * 86_400_000;
  const storage = join(mirror, LARGE_FILES);
  for (const folder of await subdirectories(storage)) {
    if (!folder.endsWith("/objects")) await removeTree(folder);
    // Objects are in folders of two levels, by the first digits of their names.
    for (const first of await subdirectories(folder)) {
      for (const second of await subdirectories(first)) {
        for await (const { name, isFile } of Deno.readDir(second)) {
          const file = join(second, name);
          const { mtime } = isFile ? await Deno.lstat(file) : { mtime: null };
          if (mtime && mtime.getTime() < oldest) await Deno.remove(file);
        }
      }
    }
  }
}

function lfsFailure(stdout: string, stderr: string) {
  const [, word, url = ""] = /^(missing|local|left)\b ?(.*)$/m.exec(stdout) ?? [];
  if (word === "local") return runError("errors.run.lfs_address", { url: url.slice(0, SAID_MAX) });
  if (word === "missing") return runError("errors.run.lfs_missing");
  const host = refusingHost(stderr);
  if (host) return runError("errors.run.lfs_credentials", { host });
  const said = stderr.trim().split("\n").findLast((line) => !/^Failed to fetch/.test(line)) ?? "";
  return runError("errors.run.lfs_failed", { said: said.slice(0, SAID_MAX) });
}
