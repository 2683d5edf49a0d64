import { dirname, join } from "node:path";

/** A git repository that a test writes to. */
export interface GitRepository {
  path: string;
  /** `file://` address. */
  url: string;
  /** Writes files and commits them. Returns the commit's hash. */
  commit(files: Record<string, string>, message: string): Promise<string>;
  git(...args: string[]): Promise<string>;
}

export async function newGitRepository(path: string): Promise<GitRepository> {
  await Deno.mkdir(path, { recursive: true });
  const git = async (...args: string[]) => {
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: ["-C", path, ...args],
      env: {
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: "Alice",
        GIT_AUTHOR_EMAIL: "alice@example.org",
        GIT_COMMITTER_NAME: "Alice",
        GIT_COMMITTER_EMAIL: "alice@example.org",
        GIT_ALLOW_PROTOCOL: "file",
        // Without examples of hooks, and without a process that looks for work after a commit.
        GIT_TEMPLATE_DIR: "",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "maintenance.auto",
        GIT_CONFIG_VALUE_0: "false",
      },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  };
  await git("init", "--quiet", "--initial-branch=main");
  return {
    path,
    url: `file://${path}`,
    git,
    async commit(files, message) {
      for (const [name, text] of Object.entries(files)) {
        await Deno.mkdir(dirname(join(path, name)), { recursive: true });
        await Deno.writeTextFile(join(path, name), text);
      }
      await git("add", "--all");
      await git("commit", "--quiet", "--message", message);
      return await git("rev-parse", "HEAD");
    },
  };
}
