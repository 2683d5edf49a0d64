import { whenAborted } from "../../base/time/abort.ts";

/** Message of the worker when it is done; `error` has the members that `systemReason` reads. */
export interface CopyAnswer {
  error?: { message: string; code?: string; errcode?: number };
}

export interface CopyJob {
  from: string;
  /** A file that does not exist. After a failure it may be there, incomplete. */
  to: string;
  /** Leaves out unused pages, which may contain deleted data. Slower. */
  rowsOnly?: boolean;
}

interface CopyOptions extends CopyJob {
  /** Ends the copy with its reason. */
  stop?: AbortSignal;
}

/**
 * Copies the store's file as it was at one moment, and syncs the copy to the disk. Others may write
 * meanwhile: the copy contains each of their commits completely or not at all.
 */
export async function copyStore({ stop, ...job }: CopyOptions): Promise<void> {
  stop?.throwIfAborted();
  // Created here, because SQLite would let others read it under a lenient umask.
  await Deno.writeFile(job.to, new Uint8Array(), { createNew: true, mode: 0o600 });
  await runWorker(job, stop);
  using file = await Deno.open(job.to, { read: true, write: true });
  await file.sync();
}

async function runWorker(job: CopyJob, stop?: AbortSignal): Promise<void> {
  const worker = new Worker(new URL("./copy_worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.onmessage = ({ data: { error } }: MessageEvent<CopyAnswer>) =>
    error ? reject(Object.assign(new Error(error.message), error)) : resolve();
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  const release = stop && whenAborted(stop, () => reject(stop.reason));
  worker.postMessage(job);
  try {
    await promise;
  } finally {
    release?.();
    worker.terminate();
  }
}
