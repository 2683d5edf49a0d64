import type { ProjectScope } from "../../access/scope.ts";
import { AppError, conflict, invalidField, type Sentence, sentenceOf } from "../../base/errors.ts";
import { listDriftRows } from "../../drift/list.ts";
import type { DriftSummary } from "../../drift/rows.ts";
import { requireDriftSeen } from "../../drift/service.ts";
import { findDriftSummary, readDriftRows } from "../../drift/store.ts";
import { isPlainHostName } from "../../execution/ansible/results/fields.ts";
import { hasAddress } from "../../hosts/rows.ts";
import { type StartAlso, startTask } from "../../queue/start/start.ts";
import type { StartCause } from "../../queue/start/start_cause.ts";
import { describeError } from "../../base/log.ts";
import { templateNames } from "../../templates/outlines.ts";
import { requireRow } from "../../store/rows/row_reader.ts";
import { packHosts } from "../../tasks/host_store.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { parseStart } from "../../tasks/start_form.ts";
import type { FixDriftForm } from "./schema.ts";

/** Number of hosts that are fixed together. */
const HOSTS_MAX = 10_000;

/**
 * Starts a task that fixes hosts that differ: on exactly these hosts, and with a preview that
 * someone confirms. Throws 404 for an unknown template, 400 if none of the hosts differs, and 409
 * before the first check.
 */
export async function startFix(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  { hosts, commit }: FixDriftForm,
): Promise<TaskView> {
  const { deps: { kv }, projectId } = scope;
  await requireRow(kv, "templates", projectId, templateId);
  await requireDriftSeen(scope, templateId);
  const summary = await findDriftSummary(kv, projectId, templateId);
  const check = summary && await findTask(kv, projectId, summary.task_id);
  if (!check) throw conflict("errors.drift.not_checked");
  const rows = hosts.length > 0
    ? await readDriftRows(kv, projectId, templateId, [...new Set(hosts)].filter(hasAddress))
    : (await listDriftRows(kv, projectId, {
      ...{ states: ["would_change"], templateId, q: "", limit: HOSTS_MAX },
    })).rows;
  const names = rows.flatMap((row) => row?.state === "would_change" ? row.host : []);
  if (names.length === 0) throw invalidField("hosts", "errors.drift.none_differs");
  // Results come from plays, so a name may be anything.
  const strange = names.find((name) => !isPlainHostName(name));
  if (strange !== undefined) throw conflict("errors.retry.host_name", { name: strange });
  const commit_hash = commit === "check" ? check.commit_hash : null;
  return await startFixOf(scope, check, names, { of: countStates(summary), commit_hash });
}

/** Fixes of several templates. */
export interface StartedFixes {
  tasks: TaskView[];
  /** Templates whose fix was refused. */
  refused: { template_id: number; template_name: string; reason: Sentence }[];
}

/**
 * Starts a fix for each template. One that is refused or fails does not hide those that have begun:
 * it throws only if there is no other.
 */
export async function startFixes(
  scope: ProjectScope<"run_tasks">,
  chosen: readonly { template: number; hosts: string[] }[],
  commit: FixDriftForm["commit"],
): Promise<StartedFixes> {
  const fixes: StartedFixes = { tasks: [], refused: [] };
  const names = await templateNames(scope);
  for (const { template, hosts } of chosen) {
    try {
      fixes.tasks.push(await startFix(scope, template, { hosts, commit }));
    } catch (error) {
      const isForeseen = error instanceof AppError;
      if (isForeseen ? chosen.length === 1 : fixes.tasks.length === 0) throw error;
      fixes.refused.push({
        template_id: template,
        template_name: names.get(template) ?? `#${template}`,
        reason: isForeseen ? sentenceOf(error) : loggedReason(scope, template, error),
      });
    }
  }
  return fixes;
}

/** Logs an error that no one has foreseen, and returns a sentence with its number in the log. */
function loggedReason(
  { deps: { log }, projectId }: ProjectScope,
  templateId: number,
  error: unknown,
): Sentence {
  const id = crypto.randomUUID().slice(0, 8);
  log("error", "fix_failed", { id, projectId, templateId, ...describeError(error) });
  return { key: "errors.internal", params: { id } };
}

/** Returns the number of hosts with a state. */
export const countStates = ({ counts }: DriftSummary): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

interface FixOptions {
  /** Number of hosts with a state. */
  of: number;
  /** The commit to run; null for the latest one. */
  commit_hash: string | null;
  /** Tags of an automatic fix; missing for one that a person has asked for. */
  tags?: string[];
  also?: StartAlso;
}

/** Starts a task that fixes some hosts of a check, with a preview. */
export function startFixOf(
  scope: ProjectScope<"run_tasks">,
  check: TaskRow,
  names: string[],
  { of, commit_hash, tags, also }: FixOptions,
): Promise<TaskView> {
  const counts = { hosts: names.length, of };
  const repeats = { task: check, hosts: packHosts(names), counts, version: null };
  const cause: StartCause = tags ? { kind: "fix", repeats, tags } : { kind: "retry", repeats };
  return startTask(scope, formOf(check, commit_hash), also, cause);
}

/** At the commit of its check, a task has the same requirements, and a deploy the same build. */
const formOf = ({ id, template_id, build_task_id }: TaskRow, commit_hash: string | null) =>
  parseStart({ template_id, commit_hash, ...commit_hash !== null && { id, build_task_id } });
