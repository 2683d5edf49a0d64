/**
 * A server that stores the states of hosts, and does nothing else. Tests kill it. Its argument is
 * the file of the store, which other processes use as well.
 */
import { startDrift } from "@/lib/drift/loop.ts";
import { openStore } from "@/lib/store/open_store.ts";

const kv = await openStore(Deno.args[0]);
const clock = { now: () => new Date(), ticks: () => performance.now() };
await Deno.stdout.write(new TextEncoder().encode("open\n"));
// Without turns, so that both servers store the same states at the same time.
startDrift({ kv, clock, log: () => {} }, { shared: false });
