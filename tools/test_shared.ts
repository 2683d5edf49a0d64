import { delimiter, join } from "node:path";
import { printed, succeeds } from "../scripts/command.ts";
import { say } from "../scripts/console.ts";
import { DENOKV_FOLDER, DENOKV_VERSION } from "./denokv.ts";

/** The tests that are skipped without such a service. */
const TESTS = ["tests/real/machine/shared_kv_test.ts"];

/** Building takes twenty minutes on one core of a small machine. */
const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 30 * 60_000;

/** Returns the folder with `denokv`, and builds it if missing. Null if that is not possible. */
async function serviceFolder(): Promise<string | null> {
  const bin = join(DENOKV_FOLDER, "bin");
  if (await printed([join(bin, "denokv"), "--help"]) !== null) return bin;
  if (await printed(["cargo", "--version"]) === null) {
    say(`Not tested: building denokv ${DENOKV_VERSION} needs cargo, which is not on the PATH.`);
    say("Install Rust (https://rustup.rs), or Debian's package cargo if it is recent enough.");
    return null;
  }
  say(
    `Building denokv ${DENOKV_VERSION} in ${DENOKV_FOLDER}. This happens once and takes up to ` +
      "15 minutes.",
  );
  const install = ["cargo", "install", "denokv", "--version", DENOKV_VERSION, "--locked"];
  if (await succeeds([...install, "--root", DENOKV_FOLDER], { limitMs: BUILD_LIMIT_MS })) {
    return bin;
  }
  say("Not tested: denokv could not be built. The output of cargo is above.");
  return null;
}

const bin = await serviceFolder();
if (bin === null) Deno.exit(1);
const PATH = [bin, Deno.env.get("PATH")].join(delimiter);
const command = [Deno.execPath(), "task", "test", ...TESTS, ...Deno.args];
if (!await succeeds(command, { env: { PATH }, limitMs: TEST_LIMIT_MS })) Deno.exit(1);
