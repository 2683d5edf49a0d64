/**
 * A server that stores the states of hosts, and does nothing else. Tests kill it. Its argument is
 * the file of the store, which other processes use as well.
 */
import { driftWorker } from "@/lib/drift/store_checks.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

const kv = await openStore(Deno.args[0]);
const clock = { now: () => new Date(), ticks: () => performance.now() };
await Deno.stdout.write(new TextEncoder().encode("open\n"));
startJobs({ kv, clock, log: () => {} }, [driftWorker], { shared: true });
