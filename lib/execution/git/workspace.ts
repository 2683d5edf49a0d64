import { join } from "node:path";
import { type GitAccess, openAccess } from "./access.ts";
import { checkOut } from "./checkout.ts";
import { fetchCommit } from "./mirror.ts";
import { refMissing } from "./ref.ts";
import type { Commit, RepositoryPlan } from "../run/plan.ts";
import type { Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";

/** The files of a repository as one run sees them. */
export interface Workspace {
  directory: string;
  /** Null for a folder that is used in place. */
  commit: Commit | null;
  /** Variables with which git reaches the repository, until the workspace is closed. */
  gitEnv: Variables;
  close(): Promise<void>;
}

/**
 * Creates a checkout for the run. `name` distinguishes several checkouts of one run. A local folder
 * is used in place: `inspectCheckout` finds out whether it can and may be read.
 */
export async function openWorkspace(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
): Promise<Workspace> {
  const { address, credentials = [] } = repository;
  if (address.kind === "local") {
    // Its address may have been a repository's when the commit was chosen.
    if (repository.commit !== null) {
      const { commit } = repository;
      throw runError("errors.run.commit_of_folder", { path: address.url, commit });
    }
    await context.say(`Using the folder ${address.url}`);
    const folder = { directory: address.url, commit: null };
    // Requirements may need keys of the project.
    if (credentials.length === 0) return { ...folder, gitEnv: {}, close: () => Promise.resolve() };
    const { env, close } = await openAccess(context, repository, name);
    return { ...folder, gitEnv: env, close };
  }
  if (repository.branch === null) throw refMissing("");
  const to = { ...address, branch: repository.branch };
  let access: GitAccess | null = null;
  try {
    await context.say(`Updating repository ${to.url}, branch ${to.branch}`);
    access = await openAccess(context, repository, name);
    const mirrored = await fetchCommit(context, access, repository);
    const directory = join(context.directory.path, name);
    const commit = await checkOut(context, access, mirrored, directory);
    await context.say(`Checked out ${commit.hash.slice(0, 8)} "${commit.message}"`);
    return { directory, commit, gitEnv: access.env, close: access.close };
  } catch (error) {
    await access?.close();
    if (context.supervision.stop.aborted) throw error;
    await context.say(`Failed updating repository ${to.url}, branch ${to.branch}`);
    const said = error instanceof Error && typeof error.cause === "string" ? error.cause : "";
    for (const line of shownLines(said, context.directory.path)) await context.say(`  ${line}`);
    throw withBranch(error, to.branch);
  }
}

/** Returns git's messages without the paths of the run, and without an answer that no one gave. */
const shownLines = (said: string, directory: string): string[] =>
  said.replaceAll(`${directory}/`, "").split("\n")
    .filter((line) => line !== "" && !line.includes("unable to read askpass response"));

/** Adds the branch to the parameters of an error's sentence. */
function withBranch(error: unknown, branch: string): unknown {
  if (error instanceof Error && "params" in error) {
    Object.assign(error.params as object, { branch });
  }
  return error;
}
