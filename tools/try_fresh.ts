import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { copyProject } from "../tests/support/basics/copy_project.ts";
import { ROOT } from "../tests/support/basics/walk.ts";
import { say } from "../scripts/console.ts";

const USAGE = `Runs the application and its tests on the original Fresh, in a copy of the project.

  deno task try-fresh DIR

The "imports" of DIR/deno.json must have "fresh", "fresh/runtime", "fresh/dev", "fresh/internal" and
everything that these import, from DIR or from a registry. Fresh's own
deno.json must be there with only a version, npm packages need lines too, and DIR must not contain
any other deno.json. docs/development.md explains this.`;

/**
 * Tests that use the framework: requests, malformed ones too, pages in a browser, accounts, builds.
 */
const TESTS = ["tests/rules", "tests/server", "tests/browser"];

/** Replaces the imports of the stand-in by those of `original`, a folder of the copy. */
async function exchangeFresh(copy: string, original: string): Promise<void> {
  const path = join(copy, "deno.json");
  const config = JSON.parse(await Deno.readTextFile(path));
  const { imports } = JSON.parse(await Deno.readTextFile(join(copy, original, "deno.json")));
  // The copy has one deno.json, because its paths are relative to that.
  await Deno.remove(join(copy, original, "deno.json"));
  for (const name of Object.keys(config.imports)) {
    if (/^fresh(\/|$)/.test(name)) delete config.imports[name];
  }
  for (const [name, target] of Object.entries<string>(imports)) {
    config.imports[name] = target.replace(/^\.\//, `./${original}/`);
  }
  config.lock.frozen = false;
  await Deno.writeTextFile(path, JSON.stringify(config, null, 2));
}

async function run(copy: string, ...args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: copy,
    // Only Ansible is taken from the usual place. The tests use no other data of this project.
    env: { CALLBOARD_DATA: resolve(ROOT, Deno.env.get("CALLBOARD_DATA") ?? "data") },
    stdin: "null",
  }).spawn().status;
  return success;
}

async function tryFresh(dir: string): Promise<boolean> {
  const copy = await Deno.makeTempDir({ prefix: "callboard_on_fresh_" });
  try {
    await copyProject(copy);
    await cp(dir, join(copy, "original"), { recursive: true });
    await exchangeFresh(copy, "original");
    return await run(copy, "run", "-A", "scripts/setup.ts") &&
      await run(copy, "run", "-A", "tools/run_tests.ts", ...TESTS);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}

const [dir] = Deno.args;
const path = dir && resolve(Deno.env.get("INIT_CWD") ?? ".", dir);
if (!path || !await Deno.stat(join(path, "deno.json")).then(() => true, () => false)) {
  say(USAGE);
  Deno.exit(1);
}
Deno.exit(await tryFresh(path) ? 0 : 1);
