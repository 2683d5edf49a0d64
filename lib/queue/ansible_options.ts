import { hasControl } from "../base/control.ts";
import { limitProblem } from "../execution/ansible/fields.ts";

/** What is wrong with a value: a locale key, or null. */
type Check = (value: string) => string | null;

export interface Option {
  /** Its spellings; the long one is what Ansible is given. */
  names: readonly string[];
  takesValue: boolean;
  /** Null for what only somebody who manages the project may pass. */
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
 * Every option of `ansible-playbook`. Somebody who may run tasks may pass those that stay inside the
 * run. What else the command knows says where to go, as whom, with which files or secrets, and that
 * was said by who made the template.
 */
export const OPTIONS: readonly Option[] = [
  value("--limit -l", limitProblem),
  value("--tags -t", oneLine),
  value("--skip-tags", oneLine),
  // Its own rules are in `readVariables`.
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

  // Where to, as whom, and how.
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
  // Nobody is there to be asked.
  flag("--ask-pass -k", null),
  flag("--ask-become-pass -K", null),
  flag("--ask-vault-password --ask-vault-pass -J", null),
  flag("--step", null),
  // The facts that other runs have gathered.
  flag("--flush-cache", null),
  // A success that did nothing.
  flag("--help -h", null),
  flag("--version", null),
];
