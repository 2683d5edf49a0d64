/** Milliseconds until the next look at the queue. A wake-up may come earlier. */
export const AT_ONCE = 0;
export const WHEN_WOKEN = Infinity;
/** After an error. */
export const RETRY_MS = 1_000;
/** While other servers hold leases. */
export const LOOK_MS = 5_000;
