import process from "node:process";
import { availableParallelism, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { say } from "../scripts/console.ts";
import { findTests, writeModules } from "./test_modules.ts";
import { existsSync } from "node:fs";
import { installTools, type Tool } from "../scripts/debian.ts";
import { printed } from "../scripts/command.ts";
import { fileURLToPath } from "node:url";
import { MACHINE_PYTHON } from "../scripts/ansible/pins.ts";
import { pathWithAnsible } from "./ansible_path.ts";

const MANIFEST = fileURLToPath(new URL("../_fresh/manifest.json", import.meta.url));

/**
 * Returns the environment of the tests. Ansible is on its PATH, and no server's settings are in it.
 * Tests serve the last build, which is up to date after `deno task setup`. The original Fresh has
 * no such manifest, so each test file then builds in memory.
 */
async function testEnvironment(): Promise<Record<string, string>> {
  const env = Deno.env.toObject();
  for (const name of Object.keys(env)) {
    if (name.startsWith("CALLBOARD_")) delete env[name];
  }
  if (existsSync(MANIFEST)) env.TESTED_BUILD = MANIFEST;
  return { ...env, PATH: await withoutShims(await pathWithAnsible()) };
}

/**
 * Returns a path that leads to a Python instead of to scripts of pyenv, if there are any. Each of
 * these starts 40 processes to find the same Python again.
 */
async function withoutShims(path: string): Promise<string> {
  const isShims = (folder: string) => basename(folder) === "shims";
  const folders = path.split(delimiter);
  if (!folders.some(isShims)) return path;
  const python = existsSync(MACHINE_PYTHON)
    ? MACHINE_PYTHON
    : await printed(["python3", "-c", "import sys; print(sys.executable)"]);
  return folders.map((folder) => isShims(folder) && python ? dirname(python) : folder)
    .join(delimiter);
}

/**
 * Creates the folder for all temporary files of a run of tests. Its path is short, because those of
 * sockets have at most 107 characters. Like `/tmp`, it is open to all accounts.
 */
async function makeTestFolder(): Promise<string> {
  const folder = join(tmpdir(), `t${Deno.pid}`);
  // A run that was killed may have left it.
  await removeTestFolder(folder);
  await Deno.mkdir(folder);
  await Deno.chmod(folder, 0o1777);
  // Ext4 then spreads the folders in it over the disk. Near files that were deleted in the last
  // minutes, it would read about each of these before it creates one, which takes 4 % of the CPU.
  await printed(["chattr", "+T", folder]);
  return folder;
}

/** Removes the folder. Files that a process still writes, or that are mounted, stay. */
const removeTestFolder = (folder: string): Promise<void> =>
  Deno.remove(folder, { recursive: true }).catch(() => {});

/** Exists where `libmimalloc.so` does, which is in a folder that depends on the machine. */
const ALLOCATOR = "/usr/share/doc/libmimalloc-dev/copyright";

/**
 * Returns the variables of a process whose modules are those of `writeModules`. Its memory is
 * allocated faster than by the C library, which saves 6 % of the CPU.
 */
const allocatorVariables = (): Record<string, string> =>
  existsSync(ALLOCATOR) ? { LD_PRELOAD: "libmimalloc.so" } : {};

/** Tools that tests need, and the Debian package of each. */
const TOOLS: Tool[] = [
  ["/usr/bin/chromium", "chromium"],
  ["/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell"],
  ["/usr/sbin/sshd", "openssh-server"],
  ["/usr/bin/ssh", "openssh-client"],
  ["/usr/bin/sshpass", "sshpass"],
  ["/usr/bin/openssl", "openssl"],
  ["/usr/bin/bwrap", "bubblewrap"],
  ["/usr/bin/git-lfs", "git-lfs"],
  ["/usr/sbin/slapd", "slapd"],
  ["/usr/sbin/nginx", "nginx"],
  ["/usr/sbin/samba", "samba"],
  // Parts of a domain controller, in folders that depend on the machine.
  ...["samba-ad-provision", "samba-dsdb-modules", "samba-vfs-modules"].map((name) =>
    [`/usr/share/doc/${name}/copyright`, name] as Tool
  ),
  [ALLOCATOR, "libmimalloc-dev"],
  // Without this font, Chinese is shown as boxes with a wrong width.
  ["/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", "fonts-wqy-microhei"],
];

/** Installs the tools that are missing. */
const installTestTools = () => installTools(TOOLS);

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

/** More failed tests than this are not the fault of a busy machine. */
const SECOND_TRIES_MAX = 5;

/**
 * Returns the files of the tests that failed, if a second try may tell chance from fault: every
 * failure has a test's name, and there are few of them.
 */
function filesToTryAgain(output: string): string[] {
  const text = stripVTControlCharacters(output);
  const lines = text.slice(text.lastIndexOf(" FAILURES ")).split("\n")
    .filter((line) => line.includes(" => "));
  const files = lines.map((line) => /^(\S+_test\.tsx?): /.exec(line)?.[1]);
  const isClear = files.length > 0 && files.length === readCounts(output)?.failed &&
    files.length <= SECOND_TRIES_MAX && !files.includes(undefined);
  return isClear ? [...new Set(files as string[])] : [];
}

/** Runs the files again, alone and one after the other. Returns the exit code of that. */
async function tryAgain(files: string[], directory: string): Promise<number> {
  say(`\nSecond try, with nothing else running: ${files.join(", ")}`);
  const { code } = await runTests({ modules: files, jobs: 1 }, directory);
  if (code === 0) say("\nThese tests passed at the second try. One that does so twice is a fault.");
  return code;
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
const again = code === 0 || isQuick || Deno.args.length > 0 ? [] : filesToTryAgain(output);
const lastCode = again.length > 0 ? await tryAgain(again, directory) : code;
await removeTestFolder(directory);
const counts = readCounts(output);
if (counts) {
  const { passed, failed, skipped } = counts;
  say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}
const ranNothing = !counts || counts.passed + counts.failed === 0;
Deno.exit(lastCode !== 0 ? lastCode : ranNothing ? 1 : 0);
