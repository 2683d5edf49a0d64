/** Milliseconds until the next look at the queue. A wake-up may come earlier. */
export const NOW_MS = 0;
export const WHEN_WOKEN = Infinity;
/** After an error. */
export const RETRY_MS = 1_000;
/** While other servers hold leases. */
export const POLL_MS = 5_000;
