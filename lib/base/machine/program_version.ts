/** File of a build with the commit that it was made of, relative to the folder of the program. */
export const COMMIT_FILE = "_fresh/commit";

/**
 * Returns the version of this program, whose number is that of deno.json, as semantic versioning
 * writes it: `1.0.0+3f2a9c1d` was built from this commit, `1.0.0+3f2a9c1d-dirty` from files that
 * were changed. A build outside of git has no commit. Commands run in the folder of the program.
 */
export function programVersion(number: string): string {
  let commit = "";
  try {
    commit = Deno.readTextFileSync(COMMIT_FILE).trim();
  } catch {
    // The sources run without a build.
  }
  return /^[0-9A-Za-z-]+$/.test(commit) ? `${number}+${commit}` : number;
}
