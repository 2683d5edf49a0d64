const TRIES = 20;
const PAUSE_MS = 250;

/** Removes a folder in which processes that were just killed may still write. */
export async function removeFolder(path: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
