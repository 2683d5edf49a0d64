import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shell } from "../../execution/process/shell.ts";

const SOURCE = fileURLToPath(new URL("../../../demo", import.meta.url));

/** Folder of the demo project's bare git repository, inside the data folder. */
export const demoRepositoryDir = (dataDir: string): string => join(dataDir, "demo.git");

/** Script that creates a repository from a folder. Its one commit is the same on every server. */
const MAKE = `
set -eu
export HOME="$2" GIT_DIR="$2" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=Callboard GIT_AUTHOR_EMAIL=demo@callboard.invalid
export GIT_COMMITTER_NAME=Callboard GIT_COMMITTER_EMAIL=demo@callboard.invalid
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
cd "$1"
git init --quiet --bare --template= "$GIT_DIR"
git symbolic-ref HEAD refs/heads/main
git config core.fileMode false
export GIT_WORK_TREE="$1"
git add --all --force .
git commit --quiet --message 'Add the corner shop: ping, build and deploy'
rm -f "$GIT_DIR/index"
# The account of tasks must be able to read it. The data folder around it is closed to others.
chmod -R a+rX "$GIT_DIR"
`;

/** Creates the demo project's repository unless it exists. Throws if git fails. */
export async function ensureDemoRepository(dataDir: string): Promise<void> {
  const target = demoRepositoryDir(dataDir);
  if (await exists(join(target, "HEAD"))) return;
  const made = await Deno.makeTempDir({ dir: dataDir, prefix: "demo-" });
  try {
    const { success, stderr } = await shell(MAKE, SOURCE, made);
    if (!success) throw new Error(stderr.trim());
    // Moved into position only when it is complete, so that no one ever clones half of it.
    await Deno.rename(made, target);
  } catch (error) {
    await Deno.remove(made, { recursive: true });
    // Another server or request was faster.
    if (await exists(join(target, "HEAD"))) return;
    throw new Error("The demo repository could not be made", { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
