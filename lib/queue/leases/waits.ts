/** Milliseconds until the next look at the queue. A wake-up may come earlier. */
export const NOW_MS = 0;
export const WHEN_WOKEN = Infinity;
/** After an error. */
export const RETRY_MS = 1_000;
/** While other servers hold leases. */
export const POLL_MS = 5_000;
/**
 * Shortest time between two looks while servers share the queue. Each step of each task wakes all
 * servers, so that their looks would otherwise cost more with each server.
 */
export const SHARED_EVERY_MS = 50;
