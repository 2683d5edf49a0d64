import { startJobs } from "@/lib/jobs/engine.ts";
import type { AnyWorker, JobDeps } from "@/lib/jobs/worker.ts";
import { createStore, type Store } from "@/lib/store/store.ts";

/** A server that does jobs, of several on one store. */
export interface JobServer extends JobDeps {
  wake(): void;
  /** Stops as a drain does. */
  stop(): Promise<void>;
  /** Ends all that it stores, at once, as `kill -9` does. */
  kill(): void;
  /** Events that it has logged as errors while it lived. */
  readonly errors: string[];
  readonly isDead: boolean;
}

/** The clock of all servers, which can be set forward. */
export function newJobClock() {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    ticks: () => performance.now(),
    advance: (ms: number) => void (ahead += ms),
  };
}

/** Starts a server with these workers on a database. */
export function startJobServer(
  database: Deno.Kv,
  clock: JobDeps["clock"],
  workers: AnyWorker[],
  shared: boolean,
): JobServer {
  let isDead = false;
  const errors: string[] = [];
  const kv = mortal(createStore(database), () => isDead);
  const deps: JobDeps = {
    kv,
    clock,
    log: (level, event) => {
      if (level === "error" && !isDead) errors.push(event);
    },
  };
  const loop = startJobs(deps, workers, { shared });
  return {
    ...deps,
    errors,
    wake: loop.wake,
    stop: loop.stop,
    kill: () => void (isDead = true),
    get isDead() {
      return isDead;
    },
  };
}

/** Returns a store that neither reads nor writes any more once `isDead`. */
function mortal(kv: Store, isDead: () => boolean): Store {
  const requireLife = () => {
    if (isDead()) throw new Error("The server is dead");
  };
  const whileAlive = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A): R => {
    requireLife();
    return call(...args);
  };
  return {
    ...kv,
    get: whileAlive(kv.get) as Store["get"],
    getMany: whileAlive(kv.getMany) as Store["getMany"],
    list: whileAlive(kv.list) as Store["list"],
    set: whileAlive(kv.set),
    delete: whileAlive(kv.delete),
    atomic() {
      const op = kv.atomic();
      const { commit } = op;
      // deno-lint-ignore require-await -- throws as a rejection
      op.commit = async () => whileAlive(commit)();
      return op;
    },
  };
}
