import { join } from "node:path";
import { type GitRepository, newGitRepository } from "@/tests/support/services/git_repository.ts";
import type { RealProject } from "./real_project.ts";

/** A repository of a real project. */
interface Plays {
  git: GitRepository;
  /** The hash of its first commit. */
  commit: string;
  repository_id: number;
}

/** Adds a repository with these files. A single text is `site.yml`. */
export async function addPlays(
  { home, noKey, make }: Pick<RealProject, "home" | "noKey" | "make">,
  files: string | Record<string, string>,
  name = "Plays",
): Promise<Plays> {
  const git = await newGitRepository(join(home, name));
  const commit = await git.commit(typeof files === "string" ? { "site.yml": files } : files, name);
  const repository_id = await make("repositories", {
    name,
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: noKey,
  });
  return { git, commit, repository_id };
}

/** Adds an inventory with these lines and returns its id. */
export const addInventory = (
  { noKey, make }: Pick<RealProject, "noKey" | "make">,
  inventory: string,
): Promise<number> =>
  make("inventory", { name: "Some", type: "static", inventory, ssh_key_id: noKey });
