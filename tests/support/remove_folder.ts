import { sleep } from "@/lib/base/pause.ts";

const TRIES_MAX = 50;
const PAUSE_MS = 100;

/** Removes a folder in which background work may still write its last files. */
export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(folder, { recursive: true });
    } catch (error) {
      if (!String(error).includes("Directory not empty") || tries === TRIES_MAX) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
