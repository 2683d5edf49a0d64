import { hostname } from "node:os";
import { join } from "node:path";
import { type Config, readTaskIsolation } from "../../base/settings/config.ts";
import { readLogSettings } from "../../base/log.ts";
import { readNamedPaths } from "../../base/settings/named_paths.ts";
import {
  type Environment,
  readInteger,
  readPath,
  readSwitch,
  readToken,
  readUrl,
} from "../../base/settings/settings.ts";
import { readCertificates } from "../../base/settings/settings_file.ts";
import { conceal, type Secret } from "../../base/secret.ts";

/** The part of a server's configuration that a runner has too, with the same variables. */
type Shared = Pick<
  Config,
  | "dataDir"
  | "kv"
  | "namedPaths"
  | "taskIsolation"
  | "taskUser"
  | "stopGraceMs"
  | "taskTimeLimitMs"
  | "drainMs"
  | "fullDiskMs"
  | "version"
>;

/** Configuration of one runner, read once from the environment. `kv` is its registration's file. */
export interface RunnerConfig extends Shared {
  /** Its own token, and the only Vault that gets it. */
  vault?: { origin: string; token: Secret };
  /** Address of the server, with which `start` registers; null if not configured. */
  url: URL | null;
  /** Token for the registration. */
  token: Secret | null;
  /** Name of a runner that a reusable token creates. */
  name: string;
  maxParallel: number;
  /** Whether it may register with a server in another machine without encryption. */
  allowsHttp: boolean;
  /** Certificates in PEM of authorities to trust beside those that Deno has. */
  caCerts: string[];
}

/** Name of the file with a runner's registration: its token and its private key. */
const REGISTRATION = "runner.json";

/** Reads the variables that a runner needs. Throws ConfigError that names the invalid one. */
export async function readRunnerConfig(env: Environment, version: string): Promise<RunnerConfig> {
  const dataDir = readPath(env, "CALLBOARD_RUNNER_DATA", "runner-data");
  readLogSettings(env);
  const token = readToken(env, "CALLBOARD_RUNNER_TOKEN");
  const authorities = env.get("SSL_CERT_FILE");
  const vaultUrl = readUrl(env, "CALLBOARD_RUNNER_VAULT_URL");
  const vaultToken = readToken(env, "CALLBOARD_RUNNER_VAULT_TOKEN");
  return {
    vault: vaultUrl && vaultToken
      ? { origin: vaultUrl.origin, token: conceal(vaultToken) }
      : undefined,
    dataDir,
    kv: join(dataDir, REGISTRATION),
    namedPaths: readNamedPaths(env),
    ...readTaskIsolation(env),
    stopGraceMs: readInteger(env, "CALLBOARD_STOP_GRACE_SECONDS", 10, 3_600) * 1000,
    drainMs: readInteger(env, "CALLBOARD_DRAIN_SECONDS", 30, 86_400) * 1000,
    fullDiskMs: readInteger(env, "CALLBOARD_FULL_DISK_SECONDS", 600, 86_400) * 1000,
    // The server decides for each run.
    taskTimeLimitMs: 0,
    version,
    url: readUrl(env, "CALLBOARD_RUNNER_URL"),
    token: token === null ? null : conceal(token),
    name: (env.get("CALLBOARD_RUNNER_NAME")?.trim() || hostname()).slice(0, 100),
    maxParallel: Math.max(1, readInteger(env, "CALLBOARD_RUNNER_MAX_PARALLEL", 2, 1_000)),
    allowsHttp: readSwitch(env, "CALLBOARD_RUNNER_INSECURE", false),
    caCerts: authorities ? [await readCertificates("SSL_CERT_FILE", authorities)] : [],
  };
}
