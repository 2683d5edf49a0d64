import { join } from "node:path";
import { type AlertSettings, readAlertSettings } from "./alert_settings.ts";
import { readLogSettings } from "../log.ts";
import {
  ConfigError,
  type Environment,
  readAlias,
  readChoice,
  readInteger,
  readPath,
  readSwitch,
  readToken,
  readUrl,
} from "./settings.ts";
import { type NamedPath, readNamedPaths } from "./named_paths.ts";
import { type AllowedUrl, parseAllowedUrls } from "./survey_urls.ts";

const ISOLATION_MODES = ["none", "user", "bwrap"] as const;
export type IsolationMode = (typeof ISOLATION_MODES)[number];

/** Limits on how much history is stored; 0 keeps everything. */
export interface Retention {
  tasksPerTemplate: number;
  taskDays: number;
  eventDays: number;
}

/** Configuration of one server, read once from the environment. */
export interface Config {
  host: string;
  port: number;
  /** The unix socket to listen on instead of an address; null for none. */
  socket: { path: string; mode: number } | null;
  /** Files of the certificate and its key, with which the server speaks TLS; null without. */
  tls: { certificate: string; key: string } | null;
  /**
   * Absolute path of the folder of the database, secret key, working copies and task directories.
   */
  dataDir: string;
  /** A file path, or the URL of a KV Connect service that several servers share. */
  kv: string;
  /** Whether a new store may be created where another one has been. */
  newStore: boolean;
  /** Whether a file is copied before an upgrade changes it. */
  upgradeBackup: boolean;
  /** Absolute path of the folder of automatic backups; null if there are none. */
  backupFolder: string | null;
  /** Public URL with the sub-path but without a trailing slash; null if not configured. */
  url: URL | null;
  /** Path of `url` without a trailing slash; empty at a root. */
  basePath: string;
  /** Whether X-Forwarded-* headers are trusted. */
  trustProxy: boolean;
  /** Maximum number of tasks that this server runs in parallel; 0 means unlimited. */
  maxParallelTasks: number;
  /** Time between TERM and KILL when a task is stopped. */
  stopGraceMs: number;
  /** How long a server that is shutting down waits for its running tasks before it stops them. */
  drainMs: number;
  /** How long running tasks wait for space on a full disk before they end with an error. */
  fullDiskMs: number;
  /** Longest time a task may run; 0 means unlimited. */
  taskTimeLimitMs: number;
  /** How long a runner may be silent before its tasks end with an error. */
  runnerLostMs: number;
  /** Whether the server's runners get keys and passwords of people. */
  personalOnRunners: boolean;
  /**
   * How tasks are isolated from the server and from each other. See
   * lib/execution/process/isolation.ts.
   */
  taskIsolation: IsolationMode;
  /** All files and folders that settings name, or that are usual. */
  namedPaths: readonly NamedPath[];
  /** The account that runs tasks when `taskIsolation` is `user`. */
  taskUser: string;
  /** Whether all users, not only admins, may create and restore projects. */
  usersCreateProjects: boolean;
  /** Text of the URL that reaches the searchable integrations of all projects; null for none. */
  globalAlias: string | null;
  /** Whether sign-in with a password is offered and accepted. */
  passwordSignIn: boolean;
  /** Whether every user must have a second factor. */
  secondFactorRequired: boolean;
  /**
   * Days that roles from group rules last after the last sign-in at the provider; 0 means forever.
   */
  groupRulesDays: number;
  /** Bytes of output that are stored per task, before compression; 0 means unlimited. */
  taskOutputBytesMax: number;
  /** Bytes of full module results that are stored per task; 0 stores none. */
  fullResultBytesMax: number;
  alerts: AlertSettings;
  retention: Retention;
  /** Addresses that choices of surveys may come from. */
  surveyUrls: readonly AllowedUrl[];
  /** Bearer token that Prometheus sends to read the metrics; null when they are not served. */
  metricsToken: string | null;
  /** Whether each request is a line of the log. */
  accessLog: boolean;
  version: string;
}

/** Whether other servers may use the same store. */
export const isShared = ({ kv }: Pick<Config, "kv">): boolean => URL.canParse(kv);

/** Throws ConfigError if no one could sign in: neither by password nor in one of `others` ways. */
export function requireSignInMethod({ passwordSignIn }: Config, others: number): void {
  if (passwordSignIn || others > 0) return;
  throw new ConfigError(
    "CALLBOARD_PASSWORD_SIGN_IN_DISABLED would lock everyone out: there is no sign-in provider " +
      "(see CALLBOARD_OIDC_FILE)",
  );
}

/** Reads the `CALLBOARD_*` variables. Throws ConfigError that names the invalid one. */
export function readConfig(env: Environment, version: string): Config {
  const dataDir = readPath(env, "CALLBOARD_DATA", "data");
  // The log has read them at its first line, and has no one to warn about a wrong one.
  readLogSettings(env);
  const url = readUrl(env, "CALLBOARD_URL");
  const store = env.get("CALLBOARD_KV") ?? "";
  return {
    host: env.get("CALLBOARD_HOST") || "127.0.0.1",
    port: readInteger(env, "CALLBOARD_PORT", 3000, 65_535),
    ...readTransport(env, url),
    dataDir,
    kv: URL.canParse(store) ? store : readPath(env, "CALLBOARD_KV", join(dataDir, "callboard.kv")),
    newStore: readSwitch(env, "CALLBOARD_NEW_STORE", false),
    upgradeBackup: readSwitch(env, "CALLBOARD_UPGRADE_BACKUP", true),
    backupFolder: env.get("CALLBOARD_BACKUP_TO") ? readPath(env, "CALLBOARD_BACKUP_TO", "") : null,
    url,
    basePath: url?.pathname.replace(/(?<!\/)\/+$/, "") ?? "",
    trustProxy: readSwitch(env, "CALLBOARD_TRUST_PROXY", false),
    maxParallelTasks: readInteger(env, "CALLBOARD_MAX_PARALLEL_TASKS", 10, 10_000),
    stopGraceMs: readInteger(env, "CALLBOARD_STOP_GRACE_SECONDS", 10, 3_600) * 1000,
    drainMs: readInteger(env, "CALLBOARD_DRAIN_SECONDS", 30, 86_400) * 1000,
    fullDiskMs: readInteger(env, "CALLBOARD_FULL_DISK_SECONDS", 600, 86_400) * 1000,
    taskTimeLimitMs: readInteger(env, "CALLBOARD_TASK_TIME_LIMIT_SECONDS", 0, 31_536_000) * 1000,
    runnerLostMs: readInteger(env, "CALLBOARD_RUNNER_LOST_SECONDS", 600, 604_800) * 1000,
    personalOnRunners: readSwitch(env, "CALLBOARD_OWN_KEYS_ON_RUNNERS", false),
    ...readTaskIsolation(env),
    namedPaths: readNamedPaths(env),
    taskOutputBytesMax: readInteger(env, "CALLBOARD_TASK_OUTPUT_MB", 1_024, 1_048_576) * 1024 *
      1024,
    fullResultBytesMax: readInteger(env, "CALLBOARD_FULL_RESULTS_MB", 16, 1_024) * 1024 * 1024,
    usersCreateProjects: readSwitch(env, "CALLBOARD_USERS_CREATE_PROJECTS", false),
    globalAlias: readAlias(env, "CALLBOARD_GLOBAL_ALIAS"),
    passwordSignIn: !readSwitch(env, "CALLBOARD_PASSWORD_SIGN_IN_DISABLED", false),
    secondFactorRequired: readSwitch(env, "CALLBOARD_SECOND_FACTOR_REQUIRED", false),
    groupRulesDays: readInteger(env, "CALLBOARD_GROUP_RULES_DAYS", 90, 3_650),
    alerts: readAlertSettings((name) => env.get(name), (name, must) => {
      throw new ConfigError(`${name} ${must}`);
    }),
    retention: {
      tasksPerTemplate: readInteger(env, "CALLBOARD_KEEP_TASKS_PER_TEMPLATE", 0, 1_000_000),
      taskDays: readInteger(env, "CALLBOARD_KEEP_TASK_DAYS", 0, 36_500),
      eventDays: readInteger(env, "CALLBOARD_KEEP_EVENT_DAYS", 0, 36_500),
    },
    surveyUrls: parseAllowedUrls(env.get("CALLBOARD_SURVEY_URLS") ?? "", (must) => {
      throw new ConfigError(`CALLBOARD_SURVEY_URLS ${must}`);
    }),
    metricsToken: readToken(env, "CALLBOARD_METRICS_TOKEN"),
    accessLog: readSwitch(env, "CALLBOARD_ACCESS_LOG", false),
    version,
  };
}

/** Longest path of a unix socket on Linux. */
const SOCKET_PATH_BYTES_MAX = 107;

/** Reads what the server listens with. Throws ConfigError. */
function readTransport(env: Environment, url: URL | null): Pick<Config, "socket" | "tls"> {
  const [path, certificate, key] = ["CALLBOARD_SOCKET", "CALLBOARD_TLS_CERT", "CALLBOARD_TLS_KEY"]
    .map((name) => env.get(name) ? readPath(env, name, "") : null);
  if (!certificate !== !key) {
    throw new ConfigError("CALLBOARD_TLS_CERT and CALLBOARD_TLS_KEY require each other");
  }
  if (path && certificate) {
    throw new ConfigError(
      "CALLBOARD_SOCKET and CALLBOARD_TLS_CERT exclude each other: the proxy speaks TLS",
    );
  }
  if (certificate && url?.protocol === "http:") {
    throw new ConfigError("CALLBOARD_URL must begin with https:// if CALLBOARD_TLS_CERT is set");
  }
  const mode = env.get("CALLBOARD_SOCKET_MODE") || "660";
  if (!/^0?[0-7]{3}$/.test(mode)) {
    throw new ConfigError(`CALLBOARD_SOCKET_MODE must be a mode such as 660, not "${mode}"`);
  }
  if (path && new TextEncoder().encode(path).length > SOCKET_PATH_BYTES_MAX) {
    throw new ConfigError(`CALLBOARD_SOCKET must have at most ${SOCKET_PATH_BYTES_MAX} bytes`);
  }
  return {
    socket: path ? { path, mode: parseInt(mode, 8) } : null,
    tls: certificate && key ? { certificate, key } : null,
  };
}

/** Returns the address of a server for its own machine; null if it listens on a socket. */
export function localAddress(
  { host, port, tls, socket }: Pick<Config, "host" | "port" | "tls" | "socket">,
): string | null {
  if (socket) return null;
  const reached = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  const name = reached.includes(":") ? `[${reached}]` : reached;
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

/** Reads how tasks are isolated. Throws ConfigError. */
export function readTaskIsolation(env: Environment): Pick<Config, "taskIsolation" | "taskUser"> {
  const taskIsolation = readChoice(env, "CALLBOARD_TASK_ISOLATION", ISOLATION_MODES, "none");
  const taskUser = env.get("CALLBOARD_TASK_USER") ?? "";
  if ((taskIsolation === "user") !== (taskUser !== "")) {
    throw new ConfigError(
      "CALLBOARD_TASK_USER and CALLBOARD_TASK_ISOLATION=user require each other",
    );
  }
  return { taskIsolation, taskUser };
}
