import type { Clock } from "../base/time/clock.ts";
import type { Sentence } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { LoopHold } from "../store/loop.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { JobId, JobKind } from "./kind.ts";

export interface JobDeps {
  kv: Store;
  clock: Clock;
  log: Log;
}

/** A job that this server has claimed. */
export interface HeldJob<Input> {
  readonly id: JobId;
  readonly input: Input;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Adds to `op` that the job is still this attempt's. Throws `stale` if it is not. */
  hold(op: Atomic): Promise<void>;
  /** Adds the end of the job to `op`. Throws as `hold` does. */
  end(op: Atomic): Promise<void>;
  /** Adds the progress to `op`: what the next attempt gets. Throws as `hold` does. */
  keep(op: Atomic, input: Input): Promise<void>;
  /** Adds to `op` that the job is due again at a time, without a failure. Throws as `hold` does. */
  again(op: Atomic, at: Date, input?: Input): Promise<void>;
}

/** One attempt at a job. */
export interface Job<Input> extends HeldJob<Input> {
  /** Aborts at the time limit of the attempt, and when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Does work of one kind, and says how. Work that fails is repeated, and set aside after its last
 * attempt, with the reason. No job blocks others.
 */
export interface Worker<Input extends object, Deps extends JobDeps = JobDeps> {
  kind: JobKind<Input>;
  /** Number of attempts until it is set aside. */
  attempts: number;
  /** Waits in milliseconds after a failure. The last one is repeated. */
  waitsMs: readonly number[];
  /** Time after which an attempt has failed. */
  limitMs: number;
  /** Attempts of one server at a time. One project gets all but one of several. */
  parallel: number;
  /** Attempts for one project and of one group at a time, if that is less. */
  perProject?: number;
  perGroup?: number;
  /**
   * Jobs of a group are done one after the other, in the order of their times, by whatever server.
   * One that fails does not hold up those after it.
   */
  inOrder?: boolean;
  /**
   * Milliseconds from the end of one attempt to the next. The engine puts the job of such a kind at
   * each start. It needs any number of attempts, so that it is never set aside.
   */
  everyMs?: number;
  /** Also for a project that is being deleted. Others wait until that is decided. */
  inDeletion?: boolean;
  /** A state of the store in which jobs wait. */
  hold?(deps: Deps): LoopHold;
  /**
   * Does a job. If it resolves without a commit that has ended the job or made it due again, the
   * job ends. If it throws, the attempt has failed.
   */
  run(deps: Deps, job: Job<Input>): Promise<void>;
  /**
   * Called before a job is set aside. Resolves to whether its failure was reported elsewhere.
   * Then the job ends instead, unless a commit has made it due again.
   */
  gaveUp?(deps: Deps, job: HeldJob<Input>, reason: Sentence): Promise<boolean>;
}

/** Declares a worker. Its type no longer names what its jobs hold. */
export const worker = <Input extends object, Deps extends JobDeps>(
  declared: Worker<Input, Deps>,
): AnyWorker<Deps> => declared as unknown as AnyWorker<Deps>;

export type AnyWorker<Deps extends JobDeps = JobDeps> = Worker<object, Deps>;
