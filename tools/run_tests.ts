import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { say } from "../scripts/console.ts";
import { testEnvironment } from "./test_environment.ts";
import { findTests, writeModules } from "./test_modules.ts";
import { makeTestFolder, removeTestFolder } from "./test_folder.ts";
import { allocatorVariables, installTestTools } from "./test_tools.ts";

const CORES = availableParallelism();

/** Folders of tests that start browsers, other programs and servers that are killed. */
const SLOW_FOLDERS = /^tests\/(browser|races|real)\//;

/** The part of the tests that runs: all, those of the quick lane, or the named files. */
interface Lane {
  /** Paths of the modules to load. */
  modules: string[];
  /** Number of modules that run in parallel. */
  jobs: number;
  /** Whether only failures are shown. */
  isBrief?: boolean;
  variables?: Record<string, string>;
}

/**
 * Returns all tests in modules. Many files share a module: loading one costs a second of CPU, and
 * tests with a browser or a server share those in a module. Modules with other programs take
 * longest and begin first. Those of the quick tests are short, and fill the time at the end.
 */
async function allTests(directory: string): Promise<Lane> {
  const { browser = [], real = [], others = [] } = Object.groupBy(
    await findTests(),
    (path) =>
      path.startsWith("tests/browser/") ? "browser" : SLOW_FOLDERS.test(path) ? "real" : "others",
  );
  return {
    modules: [
      ...await writeModules(directory, real, 2 * CORES, "real"),
      ...await writeModules(directory, browser, CORES, "browser"),
      ...await writeModules(directory, others, 4 * CORES),
    ],
    // Most of these tests wait for processes, browsers or the clock.
    jobs: 2 * CORES,
    variables: allocatorVariables(),
  };
}

/** Returns the tests of all folders but the slow ones, with fewer random inputs. */
async function quickTests(directory: string): Promise<Lane> {
  const files = (await findTests()).filter((path) => !SLOW_FOLDERS.test(path));
  const jobs = CORES + 1;
  return {
    modules: await writeModules(directory, files, jobs),
    jobs,
    isBrief: true,
    variables: { FC_RUNS: "10", ...allocatorVariables() },
  };
}

/**
 * Arguments of `deno test`. New objects have more room than a server gives them, and one thread
 * collects garbage instead of several that wait for each other: this takes a twelfth of the CPU.
 */
const TEST_ARGS = [
  ...["test", "--config=deno.json", "--lock=tests/deno.lock", "-A", "--no-check", "--parallel"],
  "--v8-flags=--single-threaded-gc,--min-semi-space-size=32,--max-semi-space-size=64",
];

/** Message of the test runner about a test that takes 16 minutes. Only a test that hangs does. */
const HANGS = /'(.+)' has been running for over \(16m0s\)/;

/**
 * Runs `deno test` and shows its output as it arrives, or its failures at the end. Returns its exit
 * code and whole output. The directory gets all files of the tests.
 */
async function runTests(
  { modules, jobs, isBrief = false, variables = {} }: Lane,
  directory: string,
): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...TEST_ARGS, ...modules],
    env: {
      DENO_JOBS: String(jobs),
      TESTED_ANSIBLE: join(directory, "ansible.json"),
      ...await testEnvironment(),
      ...variables,
      TMPDIR: directory,
    },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    if (!isBrief) Deno.stdout.writeSync(chunk);
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    const hangs = HANGS.exec(stripVTControlCharacters(text))?.[1];
    if (hangs) {
      say(`\nStopped, because "${hangs}" hangs.`);
      child.kill("SIGKILL");
      break;
    }
  }
  const { code } = await child.status;
  const failures = Math.max(0, output.search(/^.* ERRORS .*$/m));
  if (isBrief && code !== 0) process.stdout.write(output.slice(failures));
  return { code, output };
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Reads the runner's last line, such as "ok | 12 passed (3 steps) | 0 failed | 1 ignored (2s)". */
function readCounts(output: string): Counts | null {
  const lines = stripVTControlCharacters(output).split("\n");
  const closing = lines.findLast((line) => /^(ok|FAILED) \| \d+ passed/.test(line));
  if (!closing) return null;
  const count = (word: string) => Number(closing.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

await installTestTools();
const directory = await makeTestFolder();
const isQuick = Deno.args[0] === "--quick";
const lane = isQuick
  ? await quickTests(directory)
  : Deno.args.length > 0
  ? { modules: Deno.args, jobs: 2 * CORES }
  : await allTests(directory);
const { code, output } = await runTests(lane, directory);
await removeTestFolder(directory);
const counts = readCounts(output);
if (counts) {
  const { passed, failed, skipped } = counts;
  say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}
const ranNothing = !counts || counts.passed + counts.failed === 0;
Deno.exit(code !== 0 ? code : ranNothing ? 1 : 0);
