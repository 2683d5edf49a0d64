import { say } from "../../scripts/console.ts";
import { countOpened } from "./count_store.ts";

/**
 * Loaded into a real server before its own code: counts the calls of its store, and prints the sums
 * each second for `readCost`.
 */
const spent = countOpened();
Deno.unrefTimer(setInterval(() => say(`store_cost ${JSON.stringify(spent())}`), 1_000));
