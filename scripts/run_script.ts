import { ConfigError } from "../lib/base/settings.ts";
import { describeError, stderrLog } from "../lib/base/log.ts";
import { say } from "./console.ts";

/** Runs a script for a person: what they can mend is told in a sentence, and the exit code is 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (error instanceof ConfigError) say(error.message);
    else stderrLog("error", "ended", describeError(error));
    Deno.exit(1);
  }
}
