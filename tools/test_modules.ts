import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const FOLDERS = ["components", "islands", "lib", "routes", "scripts", "tests"];

/** Tests in this folder need tools of their own. `deno task test-packages` runs them. */
const PACKAGE_TESTS = "tests/packages/";

/** Returns the paths of all test files but those of packages. */
export async function findTests(): Promise<string[]> {
  const lists = await Promise.all(FOLDERS.map(async (folder) => {
    const paths = await readdir(join(ROOT, folder), { recursive: true });
    return paths.filter((path) => /_test\.tsx?$/.test(path)).map((path) => join(folder, path));
  }));
  return lists.flat().filter((path) => !path.startsWith(PACKAGE_TESTS)).sort();
}

/**
 * Files that share a module with no other. They measure their whole thread, or set up the stand-in
 * of Fresh for an application of their own.
 */
const ALONE = /^(lib\/fresh\/|tests\/house\/linear_test|tests\/rules\/pages\/memory_test)/;

/** Files whose tests read all sources of the project. In one module, these are parsed once. */
const TOGETHER = /^tests\/house\//;

/**
 * Writes modules that import these files, so that what several of them use is loaded once. Files
 * are dealt out like cards, so that those of one folder are in different modules, which then take
 * about as long as each other. Returns the paths of the modules, whose names begin with `prefix`.
 */
export async function writeModules(
  directory: string,
  files: string[],
  count: number,
  prefix = "",
): Promise<string[]> {
  const { alone = [], together = [], others = [] } = Object.groupBy(
    files,
    (path) => ALONE.test(path) ? "alone" : TOGETHER.test(path) ? "together" : "others",
  );
  const dealt = Array.from({ length: count }, (_, n) => others.filter((_, i) => i % count === n));
  const groups = [...dealt, together, ...alone.map((path) => [path])];
  const paths: string[] = [];
  for (const group of groups.filter(({ length }) => length > 0)) {
    const path = join(directory, `${prefix}${paths.length}_test.ts`);
    await Deno.writeTextFile(path, moduleOf(group));
    paths.push(path);
  }
  return paths;
}

function moduleOf(files: string[]): string {
  const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
  const imports = files.map((path) =>
    `nameTestsOf(${JSON.stringify(path)});\nawait import(${urlOf(path)});\n`
  );
  return `import { nameTestsOf } from ${urlOf("tests/support/basics/name_tests.ts")};
${imports.join("")}`;
}
