import { availableParallelism } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { say } from "../scripts/console.ts";
import { testEnvironment } from "./test_environment.ts";
import {
  inBrowser,
  inSlowFolder,
  readTestFiles,
  TEST_ARGS,
  type TestFile,
  writeModules,
} from "./test_modules.ts";
import { makeTestFolder, removeTestFolder } from "./test_folder.ts";
import { readFileTimes, readReport, writeFileTimes } from "./test_times.ts";
import { allocatorVariables, installTestTools } from "./test_tools.ts";

/** Most of these tests wait for processes, browsers or the clock. */
const JOBS = 2 * availableParallelism();

/** Enough modules of each kind that all jobs end at about the same time. */
const BROWSER_MODULES = availableParallelism();
const REAL_MODULES = 2 * availableParallelism();
const MODULES = 4 * availableParallelism();

/**
 * Returns what the test runner loads to run all tests. Many files share a module: loading one costs
 * a second of CPU, and tests with a browser or a server share those in a module. Tests with
 * browsers alternate with those that wait for a real Ansible, and begin before all others.
 */
async function allTests(directory: string): Promise<string[]> {
  const files = await readTestFiles();
  const { browser = [], real = [], others = [] } = Object.groupBy(
    files,
    (file) => inBrowser(file) ? "browser" : inSlowFolder(file) ? "real" : "others",
  );
  const times = await readFileTimes();
  const write = (prefix: string, files: TestFile[], count: number) =>
    writeModules(directory, files, { count, times, prefix });
  const browserModules = await write("browser", browser, BROWSER_MODULES);
  const realModules = await write("real", real, REAL_MODULES);
  const slow = realModules.flatMap((path, n) => [path, ...browserModules.slice(n, n + 1)]);
  return [...slow, ...await write("", others, MODULES)];
}

const REPORT = "report.xml";

/** Message of the test runner about a test that takes 16 minutes. Only a test that hangs does. */
const HANGS = /'(.+)' has been running for over \(16m0s\)/;

/**
 * Runs `deno test` and shows its output as it arrives. Returns its exit code and whole output. The
 * directory gets the report, and all files of the tests.
 */
async function runTests(
  tests: string[],
  directory: string,
  variables: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...TEST_ARGS, `--junit-path=${join(directory, REPORT)}`, ...tests],
    env: {
      DENO_JOBS: String(JOBS),
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
    Deno.stdout.writeSync(chunk);
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    const hangs = HANGS.exec(stripVTControlCharacters(text))?.[1];
    if (hangs) {
      say(`\nStopped, because "${hangs}" hangs.`);
      child.kill("SIGKILL");
      break;
    }
  }
  return { code: (await child.status).code, output };
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
const isUpdate = Deno.args.includes("--update");
const named = Deno.args.filter((arg) => arg !== "--update");
const isAll = named.length === 0;
const tests = isAll ? await allTests(directory) : named;
const variables = isAll ? allocatorVariables() : {};
const { code, output } = await runTests(tests, directory, variables);
if (isUpdate && isAll && code === 0) {
  await writeFileTimes(await readReport(join(directory, REPORT)));
}
await removeTestFolder(directory);
const counts = readCounts(output);
if (counts) {
  const { passed, failed, skipped } = counts;
  say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}
const ranNothing = !counts || counts.passed + counts.failed === 0;
Deno.exit(code !== 0 ? code : ranNothing ? 1 : 0);
