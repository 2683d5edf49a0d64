import { createDefine } from "fresh";
import type { Actor, UserActor } from "./access/actor.ts";
import type { Config } from "./config.ts";
import type { Ui } from "./i18n/ui.ts";
import type { Log } from "./log.ts";
import type { Passwords } from "./access/passwords.ts";
import type { SecretBox } from "./access/secret_box.ts";
import type { Machine } from "./health/machine.ts";
import type { Hub } from "./live/hub.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Shell } from "./http/shell.ts";
import { unauthorized } from "./errors.ts";

/** What the services need of the world: made once in main.ts, and anew for each test. */
export interface Deps {
  kv: Deno.Kv;
  clock: {
    /** What the machine's clock says; that may be set back or forward at any time. */
    now(): Date;
    /** Milliseconds that only ever grow: for how long something takes, within this process. */
    ticks(): number;
  };
  config: Config;
  log: Log;
  /** Encrypts what must not be read in the database. */
  secrets: SecretBox;
  passwords: Passwords;
  /** Tells what happens in this process. */
  hub: Hub;
  /** Tells sockets what happens, also on other servers that share the store. */
  live: Pick<Hub, "subscribe">;
  /** Wakes the dispatcher: a task was queued, or a slot became free. */
  wakeDispatcher(): void;
  /** What is counted for those who watch over servers. */
  metrics: Metrics;
  /** What `ansible --version` said at start; null when Ansible is not there. */
  ansibleVersion: string | null;
  /** Tells whether disk, Ansible and isolation are as they were at the start. */
  machine: Machine;
}

/** What a request carries through middlewares, layouts and pages. */
export interface State {
  deps: Deps;
  /** Who is signed in. */
  actor: UserActor | null;
  ui: Ui;
  /** The project of the page: there below /project/{projectId} only. */
  shell: Shell;
}

export const define = createDefine<State>();

/** Who is signed in; throws 401 when nobody is. */
export function signedIn(state: State): UserActor {
  if (!state.actor) throw unauthorized();
  return state.actor;
}

export type { Actor };
