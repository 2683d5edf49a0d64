import { Ended } from "../lib/base/ended.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { requireKnownSettings } from "../lib/base/known_settings.ts";
import { describeError, stderrLog } from "../lib/base/log.ts";
import { say } from "./console.ts";

/** Runs a script for a person: what they can mend is told in a sentence, and the exit code is 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await checkSettings();
    await main();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof Ended) say(error.message);
    else stderrLog("error", "ended", describeError(error));
    Deno.exit(error instanceof Ended ? 0 : 1);
  }
}

/**
 * Throws for a variable that is mistyped. The server itself may read only the variables that it
 * knows: its setup, which may read all, has looked before.
 */
export async function checkSettings(): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "env" });
  if (state === "granted") requireKnownSettings(Object.keys(Deno.env.toObject()));
}
