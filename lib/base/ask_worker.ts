import { inLimit } from "./time/abort.ts";

/** Time for a worker to load. The machine may be busy. */
const LOAD_LIMIT_MS = 25_000;

/**
 * Returns the answer of a worker, which first posts that it has loaded, and ends it. Throws if it
 * takes too long. `onLoaded` is called right before it is asked.
 */
export async function askWorker<T>(
  worker: Worker,
  question: () => unknown,
  { limitMs, onLoaded = () => {} }: { limitMs: number; onLoaded?: () => void },
): Promise<T> {
  const nextMessage = <M>(limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<M>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    return inLimit(promise, limitMs, () => new Error("the parser took too long"));
  };
  try {
    await nextMessage<"loaded">(LOAD_LIMIT_MS).finally(onLoaded);
    worker.postMessage(question());
    return await nextMessage<T>(limitMs);
  } finally {
    worker.terminate();
  }
}
