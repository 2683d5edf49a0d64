import { inLimit } from "./abort.ts";

/**
 * Waits for named parts to end, but not longer than `limitMs`. Returns the names of those that have
 * not ended. Throws if one of them fails.
 */
export async function endWithin(
  limitMs: number,
  parts: readonly (readonly [name: string, ending: Promise<void>])[],
): Promise<string[]> {
  const left = new Set(parts);
  const late = new Error("late");
  const all = Promise.all(parts.map(async (part) => {
    await part[1];
    left.delete(part);
  }));
  await inLimit(all, limitMs, () => late).catch((error) => {
    if (error !== late) throw error;
    // Nobody hears of what fails from now on.
    all.catch(() => {});
  });
  return [...left].map(([name]) => name);
}
