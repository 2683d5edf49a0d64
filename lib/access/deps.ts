import type { Clock } from "../base/time/clock.ts";
import type { Config } from "../base/settings/config.ts";
import type { FileRule } from "./file_rules.ts";
import type { Directory } from "../ldap/directory.ts";
import type { Hub } from "../base/hub.ts";
import type { Providers } from "../oidc/provider.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { Log } from "../base/log.ts";
import type { Passwords } from "./passwords.ts";
import type { SecretBox } from "./secret_box.ts";
import type { Atomic, Store } from "../store/store.ts";

/** The part of a room in the commit that ends a task. The code that ends it knows no such room. */
export interface EndFollower {
  readonly name: string;
  /** Whether it follows checks, too. They are no runs of their template for any other room. */
  readonly checks?: boolean;
  /** `isRun` says whether the task had begun, so that there may be results. */
  add(op: Atomic, deps: Deps, end: { task: TaskRow; isRun: boolean }): void | Promise<void>;
}

/** Dependencies of the services. They are created once in main.ts, and anew for each test. */
export interface Deps {
  kv: Store;
  clock: Clock;
  config: Config;
  log: Log;
  /** Encrypts values that must not be readable in the database. */
  secrets: SecretBox;
  passwords: Passwords;
  /** External sign-in providers. */
  providers: Providers;
  /** Directory of people whose passwords are not stored here; null if none is configured. */
  directory: Directory | null;
  /** Group rules of the server's file. They grant rights to groups of sign-in providers. */
  fileRules: readonly FileRule[];
  /** Publishes the events of this process. */
  hub: Hub;
  /** Delivers events to sockets, including events of other servers that share the store. */
  live: Pick<Hub, "subscribe">;
  /**
   * Environment that all runs of this server share. Connection tests use it to behave as a run
   * would.
   */
  environment: RunEnvironment;
  /** Wakes the dispatcher after a task was queued or a slot became free. */
  wakeDispatcher(): void;
  /** Output of `ansible --version` at the start; null if Ansible is not installed. */
  ansibleVersion: string | null;
  endFollowers: readonly EndFollower[];
}

/**
 * Dependencies of a use case that anyone may call, signed in or not. Such a function checks the
 * credentials of the call itself, or its answer is public. A use case that takes neither these nor
 * a scope cannot be called by a route (`tests/house/use_cases_test.ts`).
 */
export interface PublicDeps extends Deps {}
