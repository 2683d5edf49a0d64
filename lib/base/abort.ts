import { after } from "./after.ts";

/** Calls `listener` once, now or later; gives what forgets it. */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** An end that comes by itself, or with those that it depends on. */
interface LinkedAbort {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the signals it depends on. */
  forget(): void;
}

/**
 * Aborted by itself, or with the first of `causes`, whose reason it then has. `AbortSignal.any`
 * would leave something behind on each cause, of which some live as long as the server.
 */
export function linkedAbort(...causes: AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const links = causes.map((cause) => whenAborted(cause, () => own.abort(cause.reason)));
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    forget: () => links.forEach((forget) => forget()),
  };
}

/** What `work` gives; throws the signal's reason when that is aborted first. For work of its own. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const forget = whenAborted(signal, () => reject(signal.reason));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/** What `work` gives; throws what `late` makes when it takes longer than `limitMs`. */
export async function inLimit<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const forget = after(limitMs, () => reject(late()));
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    forget();
  }
}
