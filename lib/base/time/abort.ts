import { after } from "./after.ts";

/**
 * Calls `listener` once, now or when `signal` aborts. Returns a function that removes the listener.
 */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** An abort signal that can be aborted directly and also follows other signals. */
export interface LinkedAbort {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes the listeners from the other signals. */
  release(): void;
}

/**
 * Returns a signal that aborts on its own call or with the first of `causes`, and then has the
 * reason of that cause. `AbortSignal.any` is not used: it leaks memory on each cause, and some
 * causes live as long as the server.
 */
export function linkedAbort(...causes: AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const links = causes.map((cause) => whenAborted(cause, () => own.abort(cause.reason)));
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => links.forEach((release) => release()),
  };
}

/**
 * Resolves to the result of `work`. Throws the signal's reason if the signal aborts first. The
 * caller must not share `work`.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const release = whenAborted(signal, () => reject(signal.reason));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    release();
  }
}

/**
 * Resolves to the result of `work`. Throws the error from `late` if `work` takes longer than
 * `limitMs`.
 */
export async function inLimit<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const release = after(limitMs, () => reject(late()));
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    release();
  }
}

/** Longest time for which an answer waits until a history is removed. */
const ANSWER_MS = 5_000;

/**
 * Waits until `work` is done, but only as long as an answer may take. The work then goes on, and
 * `failed` receives its error.
 */
export async function waitBriefly(
  work: Promise<void>,
  failed: (error: unknown) => void,
  limitMs: number = ANSWER_MS,
): Promise<void> {
  const late = new Error("late");
  await inLimit(work, limitMs, () => late).catch((error) => {
    if (error !== late) throw error;
    work.catch(failed);
  });
}
