import { memoryPart } from "./memory.ts";
import type { Store } from "./store.ts";

const serverEnd = memoryPart("end of the server", () => new AbortController());

/** Aborted once the server stops: it accepts no more requests, and running work gets some time. */
export const stopSignal = ({ kv }: { kv: Store }): AbortSignal => serverEnd.of(kv).signal;

/** Tells everything that waits or streams that the server stops. */
export const announceStop = ({ kv }: { kv: Store }): void => serverEnd.of(kv).abort();
