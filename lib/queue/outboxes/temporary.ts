import { AppError, type Sentence, sentenceOf, stale } from "../../base/errors.ts";

/** Waits after failures that may be temporary. After them the work is abandoned. */
export const WAITS_MS = [1_000, 10_000, 60_000];

/** Wait for a project that is being deleted. Soon it is either gone or available again. */
export const DELETING_MS = 1_000;

/**
 * Whether an error may be temporary: a bug or an unavailable store, a full queue, or a row that
 * others change.
 */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof AppError) || [429, 503].includes(error.status) || error.key === stale().key;

/** Returns the sentence for an error of work that no one waits for. A bug has none of its own. */
export const workSentence = (error: unknown): Sentence =>
  error instanceof AppError ? sentenceOf(error) : { key: "errors.run.internal" };
