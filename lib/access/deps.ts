import type { Clock } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import type { FileRule } from "./file_rules.ts";
import type { Hub } from "../base/hub.ts";
import type { Providers } from "../oidc/providers.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import type { Log } from "../base/log.ts";
import type { Passwords } from "./passwords.ts";
import type { SecretBox } from "./secret_box.ts";

/** What the services need of the world: made once in main.ts, and anew for each test. */
export interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  config: Config;
  log: Log;
  /** Encrypts what must not be read in the database. */
  secrets: SecretBox;
  passwords: Passwords;
  /** Who else than this server proves who somebody is. */
  providers: Providers;
  /** What groups of sign-in providers give, by the server's file. */
  fileRules: readonly FileRule[];
  /** Tells what happens in this process. */
  hub: Hub;
  /** Tells sockets what happens, also on other servers that share the store. */
  live: Pick<Hub, "subscribe">;
  /** What all runs of this server share: for what is asked as they would ask it. */
  environment: RunEnvironment;
  /** Wakes the dispatcher: a task was queued, or a slot became free. */
  wakeDispatcher(): void;
  /** What `ansible --version` said at start; null when Ansible is not there. */
  ansibleVersion: string | null;
}
