import { join } from "node:path";
import { lineSplitter } from "../log/output.ts";
import { collectProcess } from "../process/supervise.ts";
import { baseEnvironment } from "../process/variables.ts";
import type { RunContext } from "../run/context.ts";
import type { Workspace } from "./workspace.ts";

const LIMIT_MS = 5_000;
const NAMED_MAX = 5;
const NAME_LENGTH_MAX = 200;
/** Files that Python and Ansible write for themselves. */
const USUAL = ["__pycache__/", "*.pyc", "*.retry", ".ansible/"];

/**
 * Says in the output which new files a run leaves in a checkout, because they are removed with it.
 * Those that are kept are left out. Git lists them by name, also ignored ones, and neither reads
 * them nor follows links.
 */
export async function sayLeftFiles(
  { env, directory: { path }, supervision, say }: RunContext,
  { directory, commit }: Workspace,
  kept: string[],
): Promise<void> {
  if (commit === null || supervision.stop.aborted) return;
  const named: string[] = [];
  let count = 0;
  const lines = lineSplitter((line) => {
    count++;
    if (named.length < NAMED_MAX) named.push(line.slice(0, NAME_LENGTH_MAX));
  });
  const decoder = new TextDecoder();
  const { exitCode } = await collectProcess(
    {
      command: [
        // Named, because git would look for a missing one in the folders above.
        ...["git", "-C", directory, `--git-dir=${join(directory, ".git")}`, "--work-tree=."],
        ...["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"],
        ...["ls-files", "--others", "--directory", "--no-empty-directory"],
        ...[...USUAL, ...kept.map(patternOf)].map((pattern) => `--exclude=${pattern}`),
      ],
      cwd: path,
      env: baseEnvironment(env.path, path),
      limitMs: LIMIT_MS,
    },
    supervision,
    (chunk) => lines.write(decoder.decode(chunk, { stream: true })),
  );
  await lines.end();
  if (exitCode !== 0 || count === 0) return;
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  await say(
    `New files in the checkout are removed with it: ${named.join(", ")}${more}. ` +
      "A template or an inventory can name files to keep.",
  );
}

/** Returns a pattern of git for exactly this path. */
const patternOf = (path: string): string => `/${path.replace(/[*?[\\]/g, "\\$&")}`;
