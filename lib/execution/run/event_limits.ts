/**
 * Longest texts in events, before they are masked. The callback has the same limits. A row of the
 * store holds 32 results, in 64 KiB.
 */
export const EVENT_TEXT_MAX = {
  name: 300,
  short: 100,
  path: 250,
  host: 500,
  message: 4_000,
  itemLabel: 200,
  itemMessage: 500,
  place: 250,
  diff: 32 * 1024,
};

export const ITEM_RESULTS_MAX = 50;
/** Places in one event where a play reads its mode. */
export const PLACES_MAX = 20;
/** Hosts in one event. */
export const HOSTS_AT_ONCE = 100;

/** Most characters of JSON that are stored. The callback sends fewer, plus notes on its cuts. */
export const FULL_LENGTH_MAX = 24 * 1024;
export const FACTS_LENGTH_MAX = 56 * 1024;
