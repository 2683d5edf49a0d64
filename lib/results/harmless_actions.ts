/** Ansible actions that only read from a host, or do not reach one. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["add_host", "assert", "debug", "fail", "group_by", "meta", "pause", "set_fact", "set_stats"],
  ...["include_role", "include_tasks", "include_vars", "validate_argument_spec"],
  ...["find", "gather_facts", "getent", "package_facts", "ping", "service_facts", "setup", "slurp"],
  ...["stat", "wait_for", "wait_for_connection"],
]);

const OWN = /^ansible\.(?:builtin|legacy)\./;

/** Whether an action may change a host, or anything else outside of the task. */
export const mayChange = (action: string): boolean => !HARMLESS.has(action.replace(OWN, ""));
