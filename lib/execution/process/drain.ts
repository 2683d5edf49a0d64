/**
 * Limits for reading what is left in the pipe after a command has ended. A process that escaped may
 * hold the pipe open and even go on writing, so both the time and the amount are limited.
 */
const DRAIN_WAIT_MS = 2_000;
const DRAIN_BYTES_MAX = 1024 * 1024;
const DRAIN_TICK_MS = 50;
const COLLECTED_BYTES_MAX = 1024 * 1024;

/** Reads one stream of a command to its end. */
export interface Drain {
  done: Promise<void>;
  /** Whether it waits for more output, and not for `onChunk`. */
  waiting(): boolean;
  bytes(): number;
  cancel(): void;
}

/** Starts to read a stream. Reading waits for the promise that `onChunk` may return. */
export function drain(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Drain {
  const reader = stream.getReader();
  let [waiting, bytes] = [true, 0];
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      const taken = onChunk(next.value);
      if (!taken) continue;
      waiting = false;
      await taken;
      waiting = true;
    }
  };
  return {
    done: read(),
    waiting: () => waiting,
    bytes: () => bytes,
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

/** Waits for the ends of the streams of a command that has ended. */
export async function finishProcess(drains: Drain[]): Promise<void> {
  const bytesAtEnd = drains.map((drain) => drain.bytes());
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (drains.some((drain) => drain.waiting())) waitedMs += DRAIN_TICK_MS;
    drains.forEach((drain, i) => {
      const late = drain.bytes() - bytesAtEnd[i]!;
      if (waitedMs >= DRAIN_WAIT_MS || late > DRAIN_BYTES_MAX) drain.cancel();
    });
  }, DRAIN_TICK_MS);
  try {
    await Promise.all(drains.map(({ done }) => done));
  } finally {
    clearInterval(timer);
  }
}

/** Collects up to 1 MiB of a stream as text. */
export function collector() {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  return {
    add(chunk: Uint8Array) {
      bytes += chunk.length;
      if (bytes <= COLLECTED_BYTES_MAX) text += decoder.decode(chunk, { stream: true });
    },
    text: () => text + decoder.decode(),
  };
}
