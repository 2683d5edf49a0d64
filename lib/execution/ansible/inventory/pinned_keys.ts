import { conceal, isSecret, reveal, type Secret } from "../../../base/secret.ts";
import type { Variables } from "../../process/variables.ts";
import { sshOptions } from "../../ssh/known_hosts.ts";
import type { AnsibleFiles } from "../files.ts";
import { iniSetting } from "./ini.ts";
import type { AnsiblePlan } from "../plan.ts";

/** A setting of Ansible's connection `ssh`. The last of its names that is set counts. */
interface SshSetting {
  variables: string[];
  /** Sections and names in an ansible.cfg. They count if no variable is set. */
  settings: [string, string][];
}

const CHECKING: SshSetting = {
  variables: ["ANSIBLE_HOST_KEY_CHECKING", "ANSIBLE_SSH_HOST_KEY_CHECKING"],
  settings: [["defaults", "host_key_checking"], ["ssh_connection", "host_key_checking"]],
};

const argumentsSetting = (name: string): SshSetting => ({
  variables: [`ANSIBLE_${name.toUpperCase()}`],
  settings: [["ssh_connection", name]],
});

const COMMON = "ssh_common_args";
/** Arguments of single programs. They come behind the common ones, and ssh takes the first. */
const EXTRA = ["ssh_extra_args", "sftp_extra_args", "scp_extra_args"];
const ARGUMENTS = ["ssh_args", COMMON, ...EXTRA];

/** Values that mean true to Ansible. Anything else is false. */
const TRUE = /^\s*(y|yes|on|1|true|t)\s*$/i;
/** Options of ssh that decide which keys of hosts are right. */
const OWN_KEYS = /StrictHostKeyChecking[\s="']+(no|off)\b|KnownHostsFile|KnownHostsCommand/i;
/**
 * Returns variables that pin the keys of hosts like those of repositories, besides the arguments
 * for ssh that the play has anyway. Pins nothing if the checkout, the environment or the template
 * turns the check off, or has known hosts of its own. The arguments of a host replace one of the
 * variables, so that the others have the options, too.
 */
export function pinningVariables(
  plan: AnsiblePlan,
  files: Pick<AnsibleFiles, "config" | "knownHosts" | "hostAuthorities" | "keyRules">,
): Variables {
  const valueOf = (setting: SshSetting) => settingOf(setting, plan, files);
  const pins = pinsKeys(plan, valueOf) ? sshOptions(files.knownHosts, files.hostAuthorities) : [];
  // A host whose own arguments replace those of its keys is offered none, instead of all.
  const own = files.keyRules ? ["IdentitiesOnly=yes"] : [];
  const added = (name: string, options: string[]) => {
    if (options.length === 0) return [];
    const setting = argumentsSetting(name);
    return [[setting.variables[0], withOptions(valueOf(setting), options)] as const];
  };
  return Object.fromEntries([
    ...added(COMMON, [...hostsHaveOwnKeys(plan) ? [] : pins, ...own]),
    ...EXTRA.flatMap((name) => added(name, pins)),
  ]);
}

function pinsKeys(
  { extraVars, arguments: words }: AnsiblePlan,
  valueOf: (setting: SshSetting) => string | Secret | null,
): boolean {
  const checking = extraVars.ansible_ssh_host_key_checking ??
    extraVars.ansible_host_key_checking ?? valueOf(CHECKING);
  if (checking !== null && !TRUE.test(textOf(checking))) return false;
  const texts = ARGUMENTS.flatMap((name) => [
    valueOf(argumentsSetting(name)),
    extraVars[`ansible_${name}`],
  ]);
  return ![...texts, ...words].some((text) => OWN_KEYS.test(textOf(text)));
}

/** Whether a host of the inventory's text decides in arguments that come behind the common ones. */
const hostsHaveOwnKeys = ({ inventory: { type, content } }: AnsiblePlan): boolean =>
  type !== "file" &&
  content.split("\n").some((line) => line.includes("_extra_args") && OWN_KEYS.test(line));

const textOf = (value: unknown): string =>
  isSecret(value) ? reveal(value, "parse") : String(value ?? "");

function settingOf(
  { variables, settings }: SshSetting,
  plan: AnsiblePlan,
  { config }: Pick<AnsibleFiles, "config">,
): string | Secret | null {
  const own: Variables = { ...plan.env, ...plan.secretEnv };
  return variables.map((name) => own[name]).findLast((value) => value !== undefined) ??
    settings.map(([section, name]) => config && iniSetting(config.lines, section, name))
      .findLast((value) => value !== null) ??
    null;
}

function withOptions(before: string | Secret | null, options: string[]): string | Secret {
  const added = options.map((option) => `-o '${option}'`).join(" ");
  if (isSecret(before)) return conceal(`${reveal(before, "parse")} ${added}`);
  return before ? `${before} ${added}` : added;
}
