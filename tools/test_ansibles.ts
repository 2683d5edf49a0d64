import { delimiter, join } from "node:path";
import { printed, succeeds } from "../scripts/command.ts";
import { say } from "../scripts/console.ts";

/**
 * Versions of ansible-core with their versions of Python. The first Python that is installed is
 * used.
 */
const VERSIONS: [ansibleCore: string, pythons: string[]][] = [
  ["2.14", ["python3.11", "python3.10", "python3.9"]],
  ["2.16", ["python3.12", "python3.11", "python3.10"]],
  ["2.19", ["python3.13", "python3.12", "python3.11"]],
];

/** Latest first. ansible-core drops a version of Python in every other release. */
const PYTHONS = Array.from({ length: 9 }, (_, n) => `python3.${20 - n}`);

/**
 * Tests that depend on the version, on the events for callbacks, on the way settings are read, and
 * on ansible-galaxy.
 */
const TESTS = [
  "tests/real/results/results_test.ts",
  "tests/real/results/plugin_test.ts",
  "tests/real/results/full_results_test.ts",
  "tests/real/results/log_failures_test.ts",
  "tests/real/runs/end_reasons_test.ts",
  "tests/real/results/outputs_test.ts",
  "tests/real/ssh/host_keys_test.ts",
  "tests/real/results/drift_test.ts",
  "tests/real/results/drift_ends_test.ts",
  "tests/real/requirements/galaxy_server_test.ts",
];

/** Number of hosts of a published play. More would take too long for every run of the tests. */
const PUBLISHED_HOSTS = "50";

const INSTALL_LIMIT_MS = 10 * 60_000;
const TEST_LIMIT_MS = 60 * 60_000;

/**
 * Returns a virtualenv with this ansible-core, and creates it if missing. Null if that is not
 * possible.
 */
async function virtualenv(version: string, pythons: string[]): Promise<string | null> {
  const directory = join(Deno.cwd(), "data", "ansibles", version);
  const playbook = join(directory, "bin", "ansible-playbook");
  if (await printed([playbook, "--version"]) !== null) return directory;
  for (const python of pythons) {
    if (await printed([python, "-c", "import venv"]) === null) continue;
    const made = await succeeds([python, "-m", "venv", "--clear", directory]) &&
      await install(directory, `ansible-core~=${version}.0`);
    if (made) return directory;
  }
  return null;
}

const install = (directory: string, ...what: string[]): Promise<boolean> =>
  succeeds(
    [join(directory, "bin", "python"), "-m", "pip", "install", "--quiet", ...what],
    { limitMs: INSTALL_LIMIT_MS },
  );

/**
 * Returns the latest ansible-core that PyPI has for the latest Python here, looked up each time.
 * Null if it is one of `VERSIONS` or not available.
 */
async function newest(): Promise<{ version: string; directory: string } | null> {
  for (const python of PYTHONS) {
    if (await printed([python, "-c", "import venv"]) === null) continue;
    const directory = join(Deno.cwd(), "data", "ansibles", `newest-${python}`);
    const made = await succeeds([python, "-m", "venv", directory]) &&
      await install(directory, "--upgrade", "ansible-core");
    if (!made) continue;
    const output = await printed([join(directory, "bin", "ansible-playbook"), "--version"]);
    const version = /\[core ([^\]]+)\]/.exec(output ?? "")?.[1];
    if (!version) continue;
    return VERSIONS.some(([known]) => version.startsWith(`${known}.`))
      ? null
      : { version, directory };
  }
  return null;
}

const failed: string[] = [];

async function test(version: string, directory: string): Promise<void> {
  say(`With ansible-core ${version}:`);
  const PATH = [join(directory, "bin"), Deno.env.get("PATH")].join(delimiter);
  const command = [Deno.execPath(), "task", "test", ...TESTS, ...Deno.args];
  if (!await succeeds(command, { env: { PATH, PUBLISHED_HOSTS }, limitMs: TEST_LIMIT_MS })) {
    failed.push(version);
  }
}

for (const [version, pythons] of VERSIONS) {
  const directory = await virtualenv(version, pythons);
  if (directory) {
    await test(version, directory);
    continue;
  }
  say(`ansible-core ${version} was not tested: it needs one of ${pythons.join(", ")}.`);
  failed.push(version);
}
const latest = await newest();
if (latest) await test(latest.version, latest.directory);
else say("PyPI has no newer ansible-core for the installed versions of Python.");
if (failed.length > 0) {
  say(`Failed or not tested: ${failed.join(", ")}.`);
  Deno.exit(1);
}
