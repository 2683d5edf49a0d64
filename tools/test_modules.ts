import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { testEnvironment } from "./test_environment.ts";
import { makeTestFolder, removeTestFolder } from "./test_folder.ts";
import { readReport } from "./test_times.ts";
import { allocatorVariables } from "./test_tools.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface TestFile {
  /** Path below the root. */
  path: string;
  text: string;
}

const FOLDERS = ["components", "islands", "lib", "routes", "scripts", "tests"];

/** Tests in these folders start browsers, servers or a real Ansible. */
const SLOW_FOLDERS = ["tests/browser/", "tests/races/kills/", "tests/real/"];

export const inSlowFolder = ({ path }: TestFile): boolean =>
  SLOW_FOLDERS.some((folder) => path.startsWith(folder));

export const inBrowser = ({ path }: TestFile): boolean => path.startsWith("tests/browser/");

/** Tests in this folder need tools of their own. `deno task test-packages` runs them. */
const PACKAGE_TESTS = "tests/packages/";

/** Returns all test files but those of packages. */
export async function readTestFiles(): Promise<TestFile[]> {
  const lists = await Promise.all(FOLDERS.map(async (folder) => {
    const paths = await readdir(join(ROOT, folder), { recursive: true });
    return paths.filter((path) => /_test\.tsx?$/.test(path)).map((path) => join(folder, path));
  }));
  return await Promise.all(
    lists.flat().filter((path) => !path.startsWith(PACKAGE_TESTS)).sort().map(async (path) => ({
      path,
      text: await Deno.readTextFile(join(ROOT, path)),
    })),
  );
}

/** Runs only the tests of these names, or all others. Names begin with that of the file. */
interface Choice {
  names: ReadonlySet<string>;
  only: boolean;
}

interface TestRun {
  succeeded: boolean;
  output: string;
  /** Milliseconds that each test took, by its name. */
  times: Map<string, number>;
}

/**
 * Files that share a module with no other. They measure their whole thread, or set up the stand-in
 * of Fresh for an application of their own.
 */
const ALONE = /^(lib\/fresh\/|tests\/house\/linear_test|tests\/rules\/pages\/memory_test)/;

/** Files whose tests read all sources of the project. In one module, these are parsed once. */
const TOGETHER = /^tests\/house\//;

/**
 * Arguments of `deno test`. New objects have more room than a server gives them, and one thread
 * collects garbage instead of several that wait for each other: this takes a twelfth of the CPU.
 */
export const TEST_ARGS = [
  ...["test", "--config=deno.json", "--lock=tests/deno.lock", "-A", "--no-check", "--parallel"],
  "--v8-flags=--single-threaded-gc,--min-semi-space-size=32,--max-semi-space-size=64",
];

/** One more file than there are cores, because many tests wait for processes and browsers. */
const JOBS = availableParallelism() + 1;

interface ModuleOptions {
  choice?: Choice;
  /** Number of modules. */
  count: number;
  /** Seconds that slow files take, so that all modules take about as long. */
  times?: ReadonlyMap<string, number>;
  /** Names of the modules begin with this. */
  prefix?: string;
}

/**
 * Writes modules that import these files, so that what several of them use is loaded once. Returns
 * the modules' paths in the directory, those that take longest first.
 */
export async function writeModules(
  directory: string,
  files: TestFile[],
  { choice = { names: new Set(), only: false }, count, times = new Map(), prefix = "" }:
    ModuleOptions,
): Promise<string[]> {
  const modules = groupFiles(files, count, times).map((group) => moduleOf(group, choice));
  const paths = modules.map((_, n) => join(directory, `${prefix}${n}_test.ts`));
  await Promise.all(paths.map((path, n) => Deno.writeTextFile(path, modules[n])));
  return paths;
}

/** Random inputs for each operation of the API. The whole suite begins with the same ones. */
const FC_RUNS = "10";

/** Runs the chosen tests of these files, which share a few modules. */
export async function runTests(files: TestFile[], choice: Choice): Promise<TestRun> {
  const directory = await makeTestFolder();
  try {
    const paths = await writeModules(directory, files, { choice, count: JOBS });
    const report = join(directory, "report.xml");
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...TEST_ARGS, "--reporter=dot", `--junit-path=${report}`, ...paths],
      cwd: ROOT,
      env: {
        FC_RUNS,
        DENO_JOBS: String(JOBS),
        ...await testEnvironment(),
        ...allocatorVariables(),
        TMPDIR: directory,
      },
      clearEnv: true,
      stdin: "null",
    }).output();
    const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { succeeded: success, output: output + errors, times: await readReport(report) };
  } finally {
    await removeTestFolder(directory);
  }
}

/** Divides the files among this number of modules. Some files have one of their own. */
function groupFiles(
  files: TestFile[],
  count: number,
  times: ReadonlyMap<string, number>,
): TestFile[][] {
  const { alone = [], together = [], others = [] } = Object.groupBy(
    files,
    ({ path }) => ALONE.test(path) ? "alone" : TOGETHER.test(path) ? "together" : "others",
  );
  const units = [together, ...others.map((file) => [file])].map((files) => ({
    files,
    seconds: files.reduce((sum, { path }) => sum + (times.get(path) ?? 1), 0),
  }));
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] as TestFile[] }));
  for (const { files, seconds } of units.toSorted((a, b) => b.seconds - a.seconds)) {
    const group = groups.reduce((least, group) => group.seconds < least.seconds ? group : least);
    group.files.push(...files);
    group.seconds += seconds;
  }
  return [
    ...groups.toSorted((a, b) => b.seconds - a.seconds).map(({ files }) => files),
    ...alone.map((file) => [file]),
  ].filter((group) => group.length > 0);
}

function moduleOf(files: TestFile[], { names, only }: Choice): string {
  const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
  const imports = files.map(({ path }) =>
    `chooseTests(${JSON.stringify(path)}, isChosen);\nawait import(${urlOf(path)});\n`
  );
  return `import { chooseTests } from ${urlOf("tests/support/basics/quick_tests.ts")};
const names = new Set(${JSON.stringify([...names])});
const isChosen = (name) => names.has(name) === ${only};
${imports.join("")}`;
}
