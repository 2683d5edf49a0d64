import { unlessAborted } from "../../base/time/abort.ts";

/**
 * Sends a message to a new worker, and returns its only answer. Throws the failure that the answer
 * names, and ends the worker in each case.
 */
export async function inWorker<Answer extends object>(
  module: URL,
  message: unknown,
  stop: AbortSignal,
): Promise<Answer> {
  const worker = new Worker(module, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Answer | { error: string }>();
  worker.onmessage = ({ data }: MessageEvent<Answer | { error: string }>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.postMessage(message);
  try {
    const answer = await unlessAborted(promise, stop);
    if ("error" in answer) throw new Error(answer.error);
    return answer;
  } finally {
    worker.terminate();
  }
}
