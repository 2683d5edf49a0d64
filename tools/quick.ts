import { join } from "node:path";
import process from "node:process";
import { checkTypes } from "./check_types.ts";
import { say } from "../scripts/console.ts";
import { inSlowFolder, readTestFiles, ROOT, runTests, type TestFile } from "./test_modules.ts";
import { installTestTools } from "./test_tools.ts";

/** A test is slow if it takes this long on a quiet machine. */
const SLOW_MS = 200;
/** A busy machine makes tests slower, so only the slowest tests are reported. */
const REPORTED_MS = 1_000;
const REPORTED_MAX = 10;
/** Number of measurements of a test. A busy machine only makes times longer: the least counts. */
const MEASUREMENTS = 3;

const LIST = "tests/slow_tests.txt";
const HEAD = `# Tests that take ${SLOW_MS} ms or longer, which "deno task quick" leaves out.
# "deno task quick --update" measures all tests and writes this file.
`;

async function readList(): Promise<Set<string>> {
  const lines = (await Deno.readTextFile(join(ROOT, LIST))).split("\n");
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}

/** Returns whether the list has all tests of a file, so that the file need not be loaded. */
function isListed({ path, text }: TestFile, listed: ReadonlySet<string>): boolean {
  const count = text.match(/\bDeno\.test\(/g)?.length ?? 0;
  const listedHere = [...listed].filter((name) => name.startsWith(`${path}: `));
  return count > 0 && listedHere.length === count;
}

/** Returns the part of the runner's output that says what failed, without a line for each test. */
function failuresIn(output: string): string {
  const start = output.search(/^.* ERRORS .*$/m);
  return start < 0 ? output : output.slice(start);
}

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

/** Checks format, lint and types, and runs the tests that are not slow. Returns its success. */
async function quick(files: TestFile[]): Promise<boolean> {
  const startedAt = performance.now();
  const slow = await readList();
  const loaded = files.filter((file) => !isListed(file, slow));
  const [checks, { succeeded, output, times }] = await Promise.all([
    runChecks(),
    runTests(loaded, { names: slow, only: false }),
  ]);
  const isGood = checks === "" && succeeded && times.size > 0;
  process.stdout.write(checks);
  if (!succeeded || times.size === 0) process.stdout.write(failuresIn(output));
  say(`\nLeft out: ${slow.size} slow tests, which ${LIST} lists,`);
  say("and the tests with browsers, servers and a real Ansible");
  const late = [...times].filter(([, ms]) => ms > REPORTED_MS).sort(([, a], [, b]) => b - a);
  if (late.length > 0) {
    say("\nThe slowest tests. If they always take so long, list them with --update:");
    for (const [name, ms] of late.slice(0, REPORTED_MAX)) say(`${Math.round(ms)} ms: ${name}`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`\n${isGood ? "Good" : "FAILED"}: checks and ${times.size} tests in ${seconds} s`);
  return isGood;
}

/** Measures all tests and writes the list. Returns false if a test fails, whose time is unknown. */
async function update(files: TestFile[]): Promise<boolean> {
  let measured = await runTests(files, { names: new Set(), only: false });
  for (let count = 1; measured.succeeded && count < MEASUREMENTS; count++) {
    const slow = [...measured.times].filter(([, ms]) => ms >= SLOW_MS).map(([name]) => name);
    say(`${slow.length} tests may be slow`);
    const hasSlow = ({ path }: TestFile) => slow.some((name) => name.startsWith(`${path}: `));
    measured = await runTests(files.filter(hasSlow), { names: new Set(slow), only: true });
  }
  if (!measured.succeeded) {
    process.stdout.write(failuresIn(measured.output));
    return false;
  }
  const slow = [...measured.times].filter(([, ms]) => ms >= SLOW_MS).map(([name]) => name).sort();
  await Deno.writeTextFile(join(ROOT, LIST), HEAD + slow.join("\n") + "\n");
  say(`${LIST} lists ${slow.length} tests`);
  return true;
}

await installTestTools();
const files = (await readTestFiles()).filter((file) => !inSlowFolder(file));
const isGood = await (Deno.args.includes("--update") ? update(files) : quick(files));
Deno.exit(isGood ? 0 : 1);
