import type { Sentence } from "../base/errors.ts";
import { runOf, type WhichRun } from "../output/run_id.ts";
import { lineOf } from "./log_failures.ts";
import { findPositions, readResults } from "./find_results.ts";
import { findHead, listHosts } from "./result_store.ts";
import type { HostResultView } from "./schema.ts";
import { hostStatus, isFailure } from "./statuses.ts";
import type { Store } from "../store/store.ts";

/** The reason for a failed run, and the line of the output that reports it. */
interface FirstFailure {
  reason: Sentence;
  line: number | null;
}

/** Enough for a cause, and well below what a task's row can hold. */
const MESSAGE_MAX = 300;
/** A command's first line says that it failed, and the second one why. */
const MESSAGE_LINES = 2;

/**
 * Returns the first result of a task's run that failed or, if none did, was unreachable: its host,
 * Ansible task and message, with the number of other hosts that did not finish. Returns null if no
 * result names a cause.
 */
export async function findFirstFailure(
  kv: Store,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<FirstFailure | null> {
  const run = runOf(taskId, preview);
  const head = await findHead(kv, run);
  const status = (["failed", "unreachable"] as const).find((status) => head?.counts[status]);
  if (!status) return null;
  const [hosts, positions] = await Promise.all([
    listHosts(kv, run),
    findPositions(kv, run, { statuses: [status], limit: 1 }),
  ]);
  const result = (await readResults(kv, run, positions)).at(0);
  const message = result && failureMessage(result);
  if (!message) return null;
  const { host, play_task: task, line, last_line } = result;
  const count = hosts.filter((recap) => isFailure(hostStatus(recap))).length - 1;
  const key = count > 0 ? "errors.run.first_failure" : "errors.run.only_failure";
  return {
    reason: hostKeyReason(result) ?? { key, params: { host, task, message, count } },
    line: line && await lineOf(kv, taskId, { line, last_line: last_line ?? line }),
  };
}

/** Messages of ssh and Ansible about the key of a host. The first match wins. */
const HOST_KEY_FAILURES: [RegExp, string][] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED/, "errors.run.host_key_changed"],
  [/Host key verification failed|add this host's fingerprint/, "errors.run.host_key_refused"],
];
/** Name of a host in ssh's messages, which is also that of its pinned keys. */
const SSH_NAME = /host key (?:for|is known for) (\S+) (?:has changed|and)/i;

/**
 * Returns the reason if a host was not reached because of its key. It names the page of keys, and
 * the Ansible task, which tells it from the host of a repository.
 */
function hostKeyReason({ host, play_task: task, message }: HostResultView): Sentence | null {
  const found = HOST_KEY_FAILURES.find(([pattern]) => pattern.test(message));
  if (!found) return null;
  return { key: found[1], params: { host: SSH_NAME.exec(message)?.[1] ?? host, task } };
}

/** Returns the message of a failed result or, for a loop, of its first failed item. */
export function failureMessage({ message, item_results: [item] }: HostResultView): string {
  const text = message || (item ? `${item.label}: ${item.message}` : "");
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.slice(0, MESSAGE_LINES).join(": ").slice(0, MESSAGE_MAX);
}
