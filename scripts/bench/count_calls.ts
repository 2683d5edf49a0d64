import { say } from "../console.ts";
import { countStore } from "./count_store.ts";

/**
 * Loaded into a real server before its own code: counts the calls of its store, and prints the sums
 * each second for `readCost`.
 */
const open = Deno.openKv;
const value: typeof open = async (...args) => {
  const kv = await open(...args);
  const spent = countStore(kv);
  Deno.unrefTimer(setInterval(() => say(`store_cost ${JSON.stringify(spent())}`), 1_000));
  return kv;
};
Object.defineProperty(Deno, "openKv", { value });
