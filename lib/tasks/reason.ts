import type { Sentence } from "../base/errors.ts";
import { plainReason, type Reason } from "../base/reason.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Sentences about the first host that failed. */
export const FIRST_FAILURES = ["errors.run.first_failure", "errors.run.only_failure"];
/** Sentences about a run that reached its end: hosts failed, were unreachable, or both. */
export const HOSTS_FAILED = [
  "errors.run.hosts_failed",
  "errors.run.only_failed",
  "errors.run.only_unreachable",
];
/** Sentences about the key of a host. git says the same of the host of a repository. */
const HOST_KEYS = ["errors.run.host_key_changed", "errors.run.host_key_refused"];
/** The sentence about an error of Ansible itself, at a place in a file. */
const ANSIBLE_ERROR_AT = "errors.run.ansible_error_at";
/** The sentence about an inventory that Ansible could not read. */
export const INVENTORY_ERROR = "errors.run.inventory_error";

/** Whether a run that was carried out failed on hosts. */
export const isHostFailure = (reason: Sentence | null): boolean =>
  reason !== null &&
  ([...FIRST_FAILURES, ...HOSTS_FAILED].includes(reason.key) ||
    HOST_KEYS.includes(reason.key) && reason.params?.task !== undefined);

/** Returns the reason for a task's end in its parts; null without one. */
export function reasonOfEnd(
  { end_reason, failure_line }: Pick<TaskRow, "end_reason" | "failure_line">,
): Reason | null {
  if (!end_reason) return null;
  const { key, params = {} } = end_reason;
  const reason = { ...plainReason(end_reason), line: failure_line ?? null };
  if (FIRST_FAILURES.includes(key)) {
    const [subject, step, message] = [params.host, params.task, params.message].map(textOf);
    return { ...reason, subject, step, message, more: numberOf(params.count) };
  }
  if (key !== ANSIBLE_ERROR_AT && key !== INVENTORY_ERROR) return reason;
  const [file, message] = [params.file, params.message].map(textOf);
  const [line, column] = [params.line, params.column].map(numberOf);
  // Ansible names no line of some inventories.
  return line === 0
    ? { ...reason, subject: file, message }
    : { ...reason, message, place: { file, line, column: column || null } };
}

type Param = NonNullable<Sentence["params"]>[string] | undefined;

const textOf = (param: Param): string => typeof param === "string" ? param : "";
const numberOf = (param: Param): number => typeof param === "number" ? param : 0;
