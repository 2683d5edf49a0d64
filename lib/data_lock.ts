import { join } from "node:path";
import { ConfigError } from "./config.ts";

/** A server that is being replaced may still be ending its tasks. */
const WAIT_MS = 5_000;

/**
 * Makes this process the only server on a data folder, until it ends. At its start a server ends
 * what an earlier one left running: two at once would end each other's tasks.
 */
export async function lockDataFolder(dataDir: string, waitMs = WAIT_MS): Promise<Deno.FsFile> {
  const file = await Deno.open(join(dataDir, "server.lock"), { create: true, write: true });
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ConfigError(`Another Callboard already serves the data folder ${dataDir}`)),
    waitMs,
  );
  try {
    await Promise.race([file.lock(true), tooLate]);
    return file;
  } finally {
    clearTimeout(timer);
  }
}
