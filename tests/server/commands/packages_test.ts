import assert from "node:assert/strict";
import denoJson from "@/deno.json" with { type: "json" };
import { ROOT } from "@/tests/support/basics/walk.ts";

Deno.test("a start asks no registry for packages that are installed, also with an empty cache", async () => {
  const cache = await Deno.makeTempDir({ prefix: "callboard_cache_" });
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "packages"],
      cwd: ROOT,
      env: { DENO_DIR: cache, NO_COLOR: "1" },
    }).output();
    const said = new TextDecoder().decode(stderr);
    assert.equal(code, 0, said);
    assert.doesNotMatch(said, /Download/);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
  const { serve, setup, start } = denoJson.tasks;
  assert.equal(start.command, "deno task --quiet serve");
  assert.deepEqual(serve.dependencies, ["setup"]);
  assert.deepEqual(setup.dependencies, ["packages"]);
  assert.match(setup.command, /^deno run --cached-only /);
  assert.match(serve.command, / --no-remote --no-npm /);
});
