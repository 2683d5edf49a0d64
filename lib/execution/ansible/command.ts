import type { AnsibleFiles } from "./files.ts";
import type { AnsiblePlan } from "./plan.ts";

/** The arguments of ansible-playbook. No secret is among them, and no value can become an option. */
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
    // After the arguments, so that the limit somebody chose for this run is the one that counts.
    ...option("limit", plan.limit),
    ...option("tags", plan.tags.join(",")),
    ...option("skip-tags", plan.skipTags.join(",")),
    "--",
    plan.playbook,
  ];
}
