import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shell } from "../../execution/process/shell.ts";

const SOURCE = fileURLToPath(new URL("../../../demo", import.meta.url));

/** Where the demo project's git repository lies: a bare one in the data folder. */
export const demoRepositoryDir = (dataDir: string): string => join(dataDir, "demo.git");

/** Makes a repository of a folder, with one commit that is the same everywhere. */
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
# Whoever tasks run as must be able to read it; the data folder around it is closed to others.
chmod -R a+rX "$GIT_DIR"
`;

/** Makes the demo project's repository when it is not there yet. Throws when git fails. */
export async function ensureDemoRepository(dataDir: string): Promise<void> {
  const target = demoRepositoryDir(dataDir);
  if (await exists(join(target, "HEAD"))) return;
  const made = await Deno.makeTempDir({ dir: dataDir, prefix: "demo-" });
  try {
    const { success, stderr } = await shell(MAKE, SOURCE, made);
    if (!success) throw new Error(stderr.trim());
    // Put into place when it is complete: nobody ever clones half of it.
    await Deno.rename(made, target);
  } catch (error) {
    await Deno.remove(made, { recursive: true });
    // Somebody else was faster.
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
