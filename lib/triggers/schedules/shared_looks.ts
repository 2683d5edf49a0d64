import type { Clock } from "../../base/clock.ts";
import { memoryPart } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";

/** Time for which an answer serves other templates too. */
const SHARED_MS = 60_000;

interface Look {
  at: number;
  answer: Promise<string>;
}

const looks = memoryPart("looks at repositories", () => new Map<string, Look>());

/**
 * Returns the answer of `look`, or that of the last call with the same `subject` in this process if
 * it began less than a minute ago. Templates of one repository thus ask it once.
 */
export function sharedLook(
  { kv, clock }: { kv: Store; clock: Clock },
  subject: unknown,
  look: () => Promise<string>,
): Promise<string> {
  const known = looks.of(kv);
  const now = clock.ticks();
  for (const [key, { at }] of known) if (now - at >= SHARED_MS) known.delete(key);
  const key = JSON.stringify(subject);
  if (!known.has(key)) known.set(key, { at: now, answer: look() });
  return known.get(key)!.answer;
}
