/** Inspects a server that was started with `INSPECT_FLAGS`. */
interface HeapWatch {
  /** Returns the bytes that are in use after garbage collection. */
  measure(): Promise<HeapUse>;
  close(): void;
}

interface HeapUse {
  /** Bytes of JavaScript's objects. */
  heapBytes: number;
  /** Bytes of array buffers and other memory that objects hold. */
  outsideBytes: number;
}

/** Options of `deno run` that open the debugger's port, on loopback and with any free number. */
export const INSPECT_FLAGS = ["--inspect=127.0.0.1:0"];

const LISTENING = /Debugger listening on (ws:\S+)/;
const LIMIT_MS = 120_000;

/** Connects to the debugger. `output` is the text that the server has printed. */
export async function watchHeap(output: string): Promise<HeapWatch> {
  const [, url] = LISTENING.exec(output) ?? [];
  if (!url) throw new Error("The server does not listen for a debugger");
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer: Answer = JSON.parse(data);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  };
  let lastId = 0;
  const ask = async (method: string) => {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), LIMIT_MS);
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method }));
    const answer = await promise.finally(() => clearTimeout(timer));
    if (!answer.result) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  };
  return {
    async measure() {
      // Memory that finalizers release in the first round is collected in the second.
      for (let round = 0; round < 2; round++) await ask("HeapProfiler.collectGarbage");
      const { usedSize, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
      return { heapBytes: usedSize, outsideBytes: backingStorageSize };
    },
    close: () => socket.close(),
  };
}

interface Answer {
  id: number;
  result?: { usedSize: number; backingStorageSize?: number };
}
