import { resolve } from "node:path";
import type { Config } from "../../base/settings/config.ts";
import type { Environment } from "../../base/settings/settings.ts";
import type { Isolation } from "../process/isolation.ts";
import type { CommandEnvironment } from "../process/try_command.ts";
import type { LeaseStore } from "../sources/lease_store.ts";
import { type PackageSources, readPackageSources } from "./package_sources.ts";
import { readSourceSettings, type SourceSettings } from "../sources/settings.ts";

/** Characters of results that all runs together have read and not yet passed on. */
export interface WaitingEvents {
  length: number;
}

/** Rules of runs for a full disk of their machine. */
interface FullDisk {
  /** Longest time for which they wait for space. */
  waitMs: number;
  /** Reason of their end after that time. */
  reason: "errors.run.disk_full" | "errors.run.runner_disk_full";
}

/** Settings that all runs of one server share. */
export interface RunEnvironment extends CommandEnvironment {
  /** Time between TERM and KILL. */
  graceMs: number;
  ansible: { playbook: string; galaxy: string };
  timeLimits: {
    /** For each call of git. */
    gitMs: number;
    galaxyMs: number;
    /** For the whole run, or 0 for no limit. */
    taskMs: number;
  };
  fullDisk: FullDisk;
  waitingEvents: WaitingEvents;
  sources: SourceSettings;
  /** Set at the start of a server or a runner, once it can encrypt them. */
  leases?: LeaseStore;
  /** Sources of toolchains. */
  packages: PackageSources;
}

/**
 * The only variables of the server that children get. They describe how to reach other networks.
 */
const FORWARDED = ["http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** The PATH if the server itself was started without one. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const GIT_LIMIT_MS = 10 * 60_000;
const GALAXY_LIMIT_MS = 15 * 60_000;

export type RunLimits = Pick<Config, "dataDir" | "stopGraceMs" | "taskTimeLimitMs" | "fullDiskMs">;

/** Returns the settings that all runs of this server share. Ansible has still to be found. */
export function runEnvironment(
  config: RunLimits,
  isolation: Isolation,
  env: Environment,
): RunEnvironment {
  const variables: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = env.get(name) || env.get(name.toUpperCase());
    if (value) variables[name] = value;
  }
  // Git knows the same settings only by names of its own.
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
    fullDisk: { waitMs: config.fullDiskMs, reason: "errors.run.disk_full" },
    waitingEvents: { length: 0 },
    sources: readSourceSettings(env),
    packages: readPackageSources(env),
  };
}

/**
 * `deno task` and `npx` put the commands of npm packages on the PATH, and plays must not use them.
 */
const withoutPackages = (path: string) =>
  path.split(":").filter((directory) => !/\/node_modules(\/|$)/.test(directory)).join(":");

/**
 * Makes paths absolute, because the server's paths are relative to its folder and commands run in
 * the checkout.
 */
export function withAbsolutePaths(env: RunEnvironment): RunEnvironment {
  const { playbook, galaxy } = env.ansible;
  const absolute = (command: string) => command.includes("/") ? resolve(command) : command;
  return { ...env, ansible: { playbook: absolute(playbook), galaxy: absolute(galaxy) } };
}
