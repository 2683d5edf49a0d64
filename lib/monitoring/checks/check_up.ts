import type { SecretBox } from "../../access/secret_box.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Config } from "../../base/settings/config.ts";
import type { Environment } from "../../base/settings/settings.ts";
import type { IsolationSettings } from "../../execution/process/prepare_isolation.ts";
import type { RunEnvironment, RunLimits } from "../../execution/run/environment.ts";
import type { Directory } from "../../ldap/directory.ts";
import type { ReadProvider } from "../../oidc/read_settings.ts";
import type { Finding } from "./finding.ts";

/** The part of a check-up that runs depend on, on a server or on a runner. */
export interface RunsCheckUp
  extends Pick<CheckUp, "clock" | "env" | "environment" | "instance" | "providers"> {
  config: IsolationSettings & RunLimits & Pick<Config, "url">;
}

/** The server to check, as this process sees it. */
export interface CheckUp {
  config: Config;
  clock: Clock;
  /** Settings, with secrets from files in place. */
  env: Environment;
  /** Problems of settings that were found while they were read. */
  settingsFindings: readonly Finding[];
  /** Environment of runs. Its data folder is a temporary one unless this is the server itself. */
  environment: RunEnvironment;
  /** Null if the server has no secret key yet, or it cannot be read. */
  secrets: SecretBox | null;
  providers: readonly ReadProvider[];
  directory: Pick<Directory, "check"> | null;
  /** Reads a row of the store, and never writes. Throws if the store cannot be read. */
  readRow(key: Deno.KvKey): Promise<unknown>;
  /** Reads the first key for each text that follows `prefix`, as `readRow` reads rows. */
  readFirstKeys(prefix: Deno.KvKey): Promise<Deno.KvKey[]>;
  /** Id of this process if it is the server itself, otherwise null. */
  instance: string | null;
  /** Address to which the mail check sends a message; null to send none. */
  sendTo: string | null;
}
