import { createTurnQueue } from "../base/turns.ts";

/**
 * Queue of all searches in outputs, of which two compute at a time. A turn is enough for a million
 * lines with most expressions, and for an API response with any.
 */
export const searchTurns = createTurnQueue({
  atOnce: 2,
  turnMs: 250,
  max: 100,
  accountMax: 4,
  full: "errors.log_search.busy",
  accountFull: "errors.log_search.at_once",
});
