import type { AnsibleFiles } from "./files.ts";
import type { AnsiblePlan } from "./plan.ts";

/** Characters with a meaning in patterns, as which Ansible reads the name of the first task. */
const GLOB = /[*?[]/g;

/**
 * Returns the arguments of ansible-playbook. None of them is a secret, and no value can become an
 * option.
 */
export function ansibleArguments(plan: AnsiblePlan, files: AnsibleFiles): string[] {
  const { userKey, becomeKey } = plan.inventory;
  const option = (name: string, value: string | null | undefined) =>
    value ? [`--${name}=${value}`] : [];
  return [
    ...option("inventory", files.inventory),
    ...option("user", userKey.type === "none" ? null : userKey.login),
    ...option("connection-password-file", files.connectionPassword),
    ...option("become-user", becomeKey?.type === "login_password" ? becomeKey.login : null),
    ...option("become-password-file", files.becomePassword),
    ...(plan.debug ? ["-vvvv"] : []),
    ...(plan.diff ? ["--diff"] : []),
    ...(plan.dryRun ? ["--check"] : []),
    ...plan.vaults.flatMap(({ name }, i) => option("vault-id", `${name}@${files.vaults[i]}`)),
    ...option("extra-vars", `@${files.extraVars}`),
    ...plan.arguments,
    // Comes after the template's arguments, so that the limit chosen for this run wins.
    ...option("limit", files.hosts ? `@${files.hosts}` : plan.limit),
    ...option("tags", plan.tags.join(",")),
    ...option("skip-tags", plan.skipTags.join(",")),
    ...option("start-at-task", plan.startAt?.replace(GLOB, "[$&]")),
    "--",
    files.playbook,
  ];
}
