import { resolve } from "node:path";
import type { Config } from "../../base/config.ts";
import type { Isolation } from "../process/isolation.ts";
import type { TrialEnvironment } from "../process/trial.ts";

/** What all runs together have read of their results, and wait to go on with; in characters. */
export interface WaitingEvents {
  length: number;
}

/** What all runs of one server share. */
export interface RunEnvironment extends TrialEnvironment {
  /** From TERM to KILL. */
  graceMs: number;
  ansible: { playbook: string; galaxy: string };
  timeLimits: {
    /** Each call of git. */
    gitMs: number;
    galaxyMs: number;
    /** The whole run; 0 for no limit. */
    taskMs: number;
  };
  waitingEvents: WaitingEvents;
}

/** Of the server's own variables, children get only these: how to reach the world from here. */
const FORWARDED = ["http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Where commands are looked for when the server itself was started without a PATH. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const GIT_LIMIT_MS = 10 * 60_000;
const GALAXY_LIMIT_MS = 15 * 60_000;

/** What all runs of this server share; which Ansible, has still to be found. */
export function runEnvironment(
  config: Config,
  isolation: Isolation,
  env: Pick<typeof Deno.env, "get">,
): RunEnvironment {
  const variables: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = env.get(name) || env.get(name.toUpperCase());
    if (value) variables[name] = value;
  }
  // Git knows the same settings by names of its own only.
  const { SSL_CERT_FILE, SSL_CERT_DIR } = variables;
  if (SSL_CERT_FILE) variables.GIT_SSL_CAINFO = SSL_CERT_FILE;
  if (SSL_CERT_DIR) variables.GIT_SSL_CAPATH = SSL_CERT_DIR;
  return {
    dataDir: config.dataDir,
    isolation,
    path: withoutPackages(env.get("PATH") || DEFAULT_PATH),
    variables,
    graceMs: config.stopGraceMs,
    ansible: { playbook: "ansible-playbook", galaxy: "ansible-galaxy" },
    timeLimits: { gitMs: GIT_LIMIT_MS, galaxyMs: GALAXY_LIMIT_MS, taskMs: config.taskTimeLimitMs },
    waitingEvents: { length: 0 },
  };
}

/** `deno task` and `npx` put the commands of npm packages on the PATH: they are not for plays. */
const withoutPackages = (path: string) =>
  path.split(":").filter((directory) => !/\/node_modules(\/|$)/.test(directory)).join(":");

/** Commands run in the checkout, so a path from the server's own folder must not depend on that. */
export function withAbsolutePaths(env: RunEnvironment): RunEnvironment {
  const { playbook, galaxy } = env.ansible;
  const absolute = (command: string) => command.includes("/") ? resolve(command) : command;
  return { ...env, ansible: { playbook: absolute(playbook), galaxy: absolute(galaxy) } };
}
