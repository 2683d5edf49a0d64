import { hasControl } from "../../base/text/control.ts";
import { limitProblem } from "../../execution/ansible/results/fields.ts";

/** Returns the locale key of the problem with a value, or null. */
type Check = (value: string) => string | null;

export interface Option {
  /** Its spellings. Ansible receives the long one. */
  names: readonly string[];
  takesValue: boolean;
  /** Check of the value. Null for options that only people who manage the project may pass. */
  check: Check | null;
}

const anything: Check = () => null;
const oneLine: Check = (value) => hasControl(value) ? "errors.control_characters" : null;
const number: Check = (value) => /^[1-9]\d{0,2}$/.test(value) ? null : "errors.arguments.number";

const flag = (names: string, check: Check | null): Option => ({
  names: names.split(" "),
  takesValue: false,
  check,
});
const value = (names: string, check: Check | null): Option => ({
  names: names.split(" "),
  takesValue: true,
  check,
});

/**
 * All options of `ansible-playbook`. People who may run tasks may pass those that stay inside the
 * task. The others decide on targets, users, files or secrets, which the template's author has
 * chosen.
 */
export const OPTIONS: readonly Option[] = [
  value("--limit -l", limitProblem),
  value("--tags -t", oneLine),
  value("--skip-tags", oneLine),
  // `readVariables` has the rules for it.
  value("--extra-vars -e", anything),
  value("--forks -f", number),
  value("--timeout -T", number),
  value("--start-at-task", oneLine),
  flag("--check -C", anything),
  flag("--diff -D", anything),
  flag("--verbose -v", anything),
  flag("--force-handlers", anything),
  flag("--list-hosts", anything),
  flag("--list-tags", anything),
  flag("--list-tasks", anything),
  flag("--syntax-check", anything),

  // Targets, users and connections.
  value("--inventory --inventory-file -i", null),
  value("--connection -c", null),
  value("--user -u", null),
  value("--private-key --key-file", null),
  value("--ssh-common-args", null),
  value("--ssh-extra-args", null),
  value("--sftp-extra-args", null),
  value("--scp-extra-args", null),
  flag("--become -b", null),
  value("--become-method", null),
  value("--become-user", null),
  // Files of the server.
  value("--module-path -M", null),
  value("--connection-password-file --conn-pass-file", null),
  value("--become-password-file --become-pass-file", null),
  value("--vault-password-file --vault-pass-file", null),
  value("--vault-id", null),
  // No one is there to answer a prompt.
  flag("--ask-pass -k", null),
  flag("--ask-become-pass -K", null),
  flag("--ask-vault-password --ask-vault-pass -J", null),
  flag("--step", null),
  // It would clear the facts that other tasks have gathered.
  flag("--flush-cache", null),
  // They would succeed without doing anything.
  flag("--help -h", null),
  flag("--version", null),
];
