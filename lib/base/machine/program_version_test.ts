import assert from "node:assert/strict";
import { programVersion } from "./program_version.ts";

Deno.test("a version names the commit of its build, if there is one", async () => {
  const home = Deno.cwd();
  const folder = await Deno.makeTempDir({ prefix: "callboard_version_" });
  try {
    Deno.chdir(folder);
    assert.equal(programVersion("1.0.0"), "1.0.0");
    await Deno.mkdir("_fresh");
    const commits: [commit: string, version: string][] = [
      ["", "1.0.0"],
      ["3f2a9c1d\n", "1.0.0+3f2a9c1d"],
      ["3f2a9c1d-dirty", "1.0.0+3f2a9c1d-dirty"],
      ["fatal: not a git repository", "1.0.0"],
    ];
    for (const [commit, version] of commits) {
      await Deno.writeTextFile("_fresh/commit", commit);
      assert.equal(programVersion("1.0.0"), version, commit);
    }
  } finally {
    Deno.chdir(home);
    await Deno.remove(folder, { recursive: true });
  }
});
