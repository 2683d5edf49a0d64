import { delimiter, join } from "node:path";
import { printed, succeeds } from "./command.ts";
import { say } from "./console.ts";

/** Versions of ansible-core, and the Pythons that each of them runs on: the first one here is taken. */
const VERSIONS: [ansibleCore: string, pythons: string[]][] = [
  ["2.14", ["python3.11", "python3.10", "python3.9"]],
  ["2.16", ["python3.12", "python3.11", "python3.10"]],
  ["2.19", ["python3.13", "python3.12", "python3.11"]],
];

/** What depends on the version: what its callbacks are told, and how its settings are read. */
const TESTS = [
  "tests/real/results_test.ts",
  "tests/real/results_plugin_test.ts",
  "tests/real/full_results_test.ts",
];

/** Of a play that others have published: too many for every run of the tests. */
const PUBLISHED_HOSTS = "50";

const INSTALL_LIMIT_MS = 10 * 60_000;
const TEST_LIMIT_MS = 60 * 60_000;

/** A virtualenv with this ansible-core, made if it is not there; null where it cannot be had. */
async function virtualenv(version: string, pythons: string[]): Promise<string | null> {
  const directory = join(Deno.cwd(), "data", "ansibles", version);
  const playbook = join(directory, "bin", "ansible-playbook");
  if (await printed([playbook, "--version"]) !== null) return directory;
  for (const python of pythons) {
    if (await printed([python, "-c", "import venv"]) === null) continue;
    const pip = [join(directory, "bin", "python"), "-m", "pip", "install", "--quiet"];
    const made = await succeeds([python, "-m", "venv", "--clear", directory]) &&
      await succeeds([...pip, `ansible-core~=${version}.0`], { limitMs: INSTALL_LIMIT_MS });
    if (made) return directory;
  }
  return null;
}

const failed: string[] = [];
for (const [version, pythons] of VERSIONS) {
  const directory = await virtualenv(version, pythons);
  if (!directory) {
    say(`ansible-core ${version} was not tested: it takes one of ${pythons.join(", ")}.`);
    failed.push(version);
    continue;
  }
  say(`With ansible-core ${version}:`);
  const PATH = [join(directory, "bin"), Deno.env.get("PATH")].join(delimiter);
  const command = [Deno.execPath(), "task", "test", ...TESTS, ...Deno.args];
  if (!await succeeds(command, { env: { PATH, PUBLISHED_HOSTS }, limitMs: TEST_LIMIT_MS })) {
    failed.push(version);
  }
}
if (failed.length > 0) {
  say(`Failed, or not tested: ${failed.join(", ")}.`);
  Deno.exit(1);
}
