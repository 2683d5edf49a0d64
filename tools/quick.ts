import { join } from "node:path";
import process from "node:process";
import { checkTypes } from "./check_types.ts";
import { say } from "../scripts/console.ts";
import { ROOT } from "./test_modules.ts";

/** Checks format, lint and types. Returns the output of those that failed. */
async function runChecks(): Promise<string> {
  let failures = "";
  for (const args of [["fmt", "--check"], ["lint"]]) {
    const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stdin: "null" });
    const { success, stdout, stderr } = await command.output();
    if (success) continue;
    failures += [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  }
  return failures + await checkTypes();
}

/** Runs the named files, or the tests of the folders that are not slow. Returns if they passed. */
async function runQuickTests(): Promise<boolean> {
  const tests = Deno.args.length > 0 ? Deno.args : ["--quick"];
  const args = ["run", "-A", join(import.meta.dirname!, "run_tests.ts"), ...tests];
  const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stdin: "null" });
  return (await command.spawn().status).success;
}

const startedAt = performance.now();
const [failures, passed] = await Promise.all([runChecks(), runQuickTests()]);
process.stdout.write(failures);
const isGood = failures === "" && passed;
const seconds = Math.round((performance.now() - startedAt) / 1000);
say(`\n${isGood ? "Good" : "FAILED"}: checks and quick tests in ${seconds} s`);
Deno.exit(isGood ? 0 : 1);
