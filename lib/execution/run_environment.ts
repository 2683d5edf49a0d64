import type { Config } from "../config.ts";
import type { AnsibleInstallation } from "./ansible_installation.ts";
import type { RunEnvironment } from "./runner.ts";

/** Of the server's own variables, children get only these: how to reach the world from here. */
const FORWARDED = ["http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Where commands are looked for when the server itself was started without a PATH. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const GIT_LIMIT_MS = 10 * 60_000;
const GALAXY_LIMIT_MS = 15 * 60_000;

/** What all runs of this server share. */
export function runEnvironment(
  config: Config,
  ansible: AnsibleInstallation | null,
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
    path: env.get("PATH") || DEFAULT_PATH,
    variables,
    graceMs: config.stopGraceMs,
    ansible: {
      playbook: ansible?.playbook ?? "ansible-playbook",
      galaxy: ansible?.galaxy ?? "ansible-galaxy",
    },
    timeLimits: { gitMs: GIT_LIMIT_MS, galaxyMs: GALAXY_LIMIT_MS, taskMs: config.taskTimeLimitMs },
  };
}
