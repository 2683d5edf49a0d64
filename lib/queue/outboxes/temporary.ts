import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { AppError, type Sentence, sentenceOf, stale } from "../../base/errors.ts";

/** Waits after failures that may be temporary. After them the work is abandoned. */
export const WAITS_MS = [1_000, 10_000, 60_000];

/** How work is done that starts or confirms something for someone who does not wait for it. */
export const LATER = {
  attempts: WAITS_MS.length + 1,
  waitsMs: WAITS_MS,
  limitMs: 5 * 60_000,
  parallel: 4,
  hold: (deps: Deps) => maintenanceHold(deps),
} as const;

/**
 * Whether an error may be temporary: a bug or an unavailable store, a full queue, or a row that
 * others change.
 */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof AppError) || [429, 503].includes(error.status) || error.key === stale().key;

const INTERNAL: Sentence = { key: "errors.run.internal" };

/** Returns the sentence for an error of work that no one waits for. A bug has none of its own. */
export const workSentence = (error: unknown): Sentence =>
  error instanceof AppError ? sentenceOf(error) : INTERNAL;

/** Returns the reason of a job without the message of a bug, which is for administrators. */
export const publicReason = (reason: Sentence): Sentence =>
  reason.key === "errors.jobs.unexpected" ? INTERNAL : reason;
