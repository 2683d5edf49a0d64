import { iniSetting } from "./inventory/ini.ts";
import type { AnsibleConfig } from "./inventory/inspect.ts";
import type { AnsiblePlan } from "./plan.ts";

/** Settings that give Ansible a vault password, as variables and as names in its configuration. */
const VARIABLES = ["ANSIBLE_VAULT_PASSWORD_FILE", "ANSIBLE_VAULT_IDENTITY_LIST"];
const SETTINGS = ["vault_password_file", "vault_identity_list"];
/** Arguments that do the same, also in the short forms that Ansible accepts. */
const ARGUMENT = /^--va/;

/** Whether a run can decrypt content of Ansible's vault, which is not masked in the output. */
export function usesVault(
  plan: Pick<AnsiblePlan, "vaults" | "arguments" | "env" | "secretEnv">,
  config: AnsibleConfig | null,
  serverVariables: Record<string, string>,
): boolean {
  const variables = { ...serverVariables, ...plan.env, ...plan.secretEnv };
  return plan.vaults.length > 0 ||
    plan.arguments.some((word) => ARGUMENT.test(word)) ||
    VARIABLES.some((name) => name in variables) ||
    SETTINGS.some((name) => config && iniSetting(config.lines, "defaults", name) !== null);
}
