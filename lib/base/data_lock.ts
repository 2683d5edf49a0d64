import { join } from "node:path";
import { sleep } from "./pause.ts";
import { ConfigError } from "./settings.ts";

/** Waits because a server that is being replaced may still be stopping its tasks. */
const WAIT_MS = 5_000;
const RETRY_MS = 100;

/**
 * Makes this process the only server on a data folder until it exits. At its start a server stops
 * processes that an earlier one left running, so two servers would stop each other's tasks.
 */
export async function lockDataFolder(dataDir: string, waitMs = WAIT_MS): Promise<Deno.FsFile> {
  const file = await Deno.open(join(dataDir, "server.lock"), { create: true, write: true });
  for (let waited = 0; !await file.tryLock(true); waited += RETRY_MS) {
    if (waited >= waitMs) {
      file.close();
      throw new ConfigError(`Another Callboard already serves the data folder ${dataDir}`);
    }
    await sleep(RETRY_MS);
  }
  return file;
}
