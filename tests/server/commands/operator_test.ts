import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { stepsFrom } from "@/lib/maintenance/migrations.ts";
import { commandScript } from "@/tools/package/command.ts";
import denoJson from "@/deno.json" with { type: "json" };
import { ROOT } from "@/tests/support/basics/walk.ts";

async function run(script: string, args: string[], env: Record<string, string> = {}) {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--cached-only", "-A", `scripts/${script}.ts`, ...args],
    cwd: ROOT,
    env,
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("messages name the commands of a package or the tasks of the sources", async () => {
  const CALLBOARD_DATA = await Deno.makeTempDir({ prefix: "callboard_command_" });
  try {
    {
      using kv = await Deno.openKv(join(CALLBOARD_DATA, "callboard.kv"));
      await kv.set(rowKeys.storeVersion(), stepsFrom(null).version);
    }
    const packaged = { CALLBOARD_DATA, CALLBOARD_COMMAND: "callboard" };
    for (const script of ["user", "maintenance", "restore", "import"]) {
      assert.match(
        await run(script, []),
        new RegExp(`  deno task ${script} |: deno task ${script} `),
      );
      const said = await run(script, [], packaged);
      assert.match(said, new RegExp(` callboard ${script} `));
      assert.doesNotMatch(said, /deno task/);
    }
    assert.match(await run("doctor", [], { CALLBOARD_DATA }), /: deno task backup --to FILE/);
    const said = await run("doctor", [], packaged);
    assert.match(said, /: callboard backup --to FILE/);
    assert.doesNotMatch(said, /deno task|CALLBOARD_COMMAND/);
  } finally {
    await Deno.remove(CALLBOARD_DATA, { recursive: true });
  }
});

Deno.test("the command of the packages says so to the server", () => {
  assert.match(
    commandScript(denoJson),
    /^export CALLBOARD_COMMAND="\$\{CALLBOARD_COMMAND:-callboard\}"$/m,
  );
});
