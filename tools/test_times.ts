import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LIST = "tests/slow_files.txt";
const PATH = fileURLToPath(new URL(join("..", LIST), import.meta.url));
const HEAD = `# Seconds that files of tests take in a run of all tests, if they take 2 or more.
# "deno task test --update" writes this file.
`;
/** Files that take less are alike. */
const LISTED_SECONDS = 2;

/** Returns the seconds that each slow file takes, by its path. */
export async function readFileTimes(): Promise<Map<string, number>> {
  const lines = (await Deno.readTextFile(PATH)).split("\n");
  return new Map(
    lines.filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" "))
      .map(([seconds, path]) => [path, Number(seconds)]),
  );
}

/** Writes the list from the milliseconds that each test took. Names begin with that of a file. */
export async function writeFileTimes(times: ReadonlyMap<string, number>): Promise<void> {
  const totals = new Map<string, number>();
  for (const [name, ms] of times) {
    const path = name.split(": ", 1)[0];
    totals.set(path, (totals.get(path) ?? 0) + ms / 1000);
  }
  const lines = [...totals].filter(([, seconds]) => seconds >= LISTED_SECONDS)
    .toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([path, seconds]) => `${Math.round(seconds)} ${path}`);
  await Deno.writeTextFile(PATH, HEAD + lines.join("\n") + "\n");
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** Reads the milliseconds that each test took from a JUnit report, without those of steps. */
export async function readReport(path: string): Promise<Map<string, number>> {
  const report = await Deno.readTextFile(path).catch(() => "");
  const cases = report.matchAll(/<testcase name="(.*?)" classname=".*?" time="([\d.]+)"/gs);
  const times = new Map([...cases].map(([, name, seconds]) => [
    name.replace(/&(\w+);/g, (text, entity) => ENTITIES[entity] ?? text),
    Number(seconds) * 1000,
  ]));
  const isStep = (name: string) =>
    [...name.matchAll(/ > /g)].some(({ index }) => times.has(name.slice(0, index)));
  return new Map([...times].filter(([name]) => !isStep(name)));
}
