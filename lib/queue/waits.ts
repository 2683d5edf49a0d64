/** When to look at the queue again, in milliseconds; a wake comes before. */
export const AT_ONCE = 0;
export const WHEN_WOKEN = Infinity;
/** After something went wrong. */
export const RETRY_MS = 1_000;
/** While there are leases of other servers. */
export const LOOK_MS = 5_000;
