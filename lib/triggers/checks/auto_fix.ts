import type { SystemActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { openProject } from "../../access/scope.ts";
import { AppError, sentenceOf, type SentenceParams, stale } from "../../base/errors.ts";
import { changeReader } from "../../drift/changes.ts";
import { listDriftRows } from "../../drift/list.ts";
import { putFixDue } from "../../drift/outbox.ts";
import type { DriftRow, FixDueRow } from "../../drift/rows.ts";
import { findDriftSummary, openDrift, readDriftRows } from "../../drift/store.ts";
import { recordEvent } from "../../events/record.ts";
import { isPlainHostName } from "../../execution/ansible/fields.ts";
import { type DueList, startDueLoop } from "../../kv/due.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { Loop } from "../../kv/loop.ts";
import { isStale } from "../../kv/transact.ts";
import { runOf } from "../../output/run_id.ts";
import { confirmAutoFix } from "../../queue/confirm.ts";
import { findHead, listHosts, listPlayTasks } from "../../results/result_store.ts";
import { wouldChange } from "../../results/statuses.ts";
import { findTask } from "../../tasks/repository.ts";
import type { TaskRow } from "../../tasks/schema.ts";
import { mayAutoFix } from "../../drift/auto_fix.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { countStates, startFixOf } from "./fix.ts";

/** Fixes hosts as their templates allow, on this server or another one that shares the store. */
export const startAutoFixes = (deps: Deps): Loop =>
  startDueLoop(deps, "auto_fixes", rowKeys.driftFixWake(), dueAutoFixes(deps));

/** Returns the checks whose hosts are still to be fixed, and the fixes still to be confirmed. */
export const dueAutoFixes = (deps: Deps): DueList<FixDueRow> => ({
  prefix: rowKeys.driftFixDue(),
  parallelMax: 4,
  handle: (entry) => handleDueFix(deps, entry),
  put: putFixDue,
  longestWait: () => 0,
});

/** A due row with what it refers to. */
interface Due {
  entry: Deno.KvEntry<FixDueRow>;
  template: TemplateRow;
  task: TaskRow;
  actor: SystemActor;
}

async function handleDueFix(deps: Deps, entry: Deno.KvEntry<FixDueRow>): Promise<void> {
  const { kv } = deps;
  const { project_id: projectId, template_id, task_id } = entry.value;
  const [found, task] = await Promise.all([
    templateRows.find(kv, projectId, template_id),
    findTask(kv, projectId, task_id),
  ]);
  // The template may have changed meanwhile.
  if (!found || !task || !mayAutoFix(found.row)) return await drop(deps, entry);
  const template = found.row;
  const actor = { kind: "drift" as const, id: template_id, name: template.name, projectId };
  const due = { entry, template, task, actor };
  try {
    await (task.auto_fix ? confirm(deps, due) : start(deps, due));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Another server was faster.
    if (isStale(error)) return;
    const action = task.auto_fix ? "auto_fix_waits" : "auto_fix_failed";
    await drop(deps, entry, due, action, { id: task_id, reason: sentenceOf(error) });
  }
}

/** Deletes a due row, with an event about its template. */
async function drop(
  deps: Deps,
  entry: Deno.KvEntry<FixDueRow>,
  due?: Due,
  action = "",
  params: SentenceParams = {},
): Promise<void> {
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  if (due) recordEvent(op, deps, due.actor, eventOf(due, action, params));
  await op.commit();
}

const eventOf = ({ template }: Due, action: string, params: SentenceParams) =>
  ({
    projectId: template.project_id,
    object: "template",
    id: template.id,
    name: template.name,
    action,
    params,
  }) as const;

/** Number of hosts that are fixed together. Each takes a row of one commit. */
const HOSTS_MAX = 500;
const LOOKED_AT = 10_000;

/** Starts the fix of a check. The commit of its start deletes the due row and marks the hosts. */
async function start(deps: Deps, due: Due): Promise<void> {
  const { kv } = deps;
  const { entry, template, task: check, actor } = due;
  const { project_id: projectId, id: templateId } = template;
  const names = (await hostsToFix(kv, template, check)).map(({ host }) => host);
  const summary = await findDriftSummary(kv, projectId, templateId);
  if (names.length === 0 || summary?.task_id !== check.id) return await drop(deps, entry);
  const scope = await openProject({ deps, actor }, projectId, "run_tasks");
  await startFixOf(scope, check, names, {
    of: countStates(summary),
    commit_hash: check.commit_hash,
    auto_fix: template.auto_fix!.tags,
    async also(op, { id }) {
      const { versionstamp } = await kv.get(entry.key);
      if (versionstamp !== entry.versionstamp) throw stale();
      op.check(entry).delete(entry.key);
      const drift = await openDrift(kv, op, projectId, templateId);
      const rows = await readDriftRows(kv, projectId, templateId, names);
      for (const row of rows) if (row) drift?.put(row, { ...row, auto_fix: id });
      await drift?.store();
      const params = { id, check: check.id, hosts: names.length };
      recordEvent(op, deps, actor, eventOf(due, "auto_fix_started", params));
    },
  });
}

/**
 * Returns the hosts that may be fixed: the check has found all that they need, nobody has accepted
 * it, and none was tried since it matched.
 */
async function hostsToFix(kv: Deno.Kv, row: TemplateRow, { id }: TaskRow): Promise<DriftRow[]> {
  const { project_id: projectId, id: templateId } = row;
  const { hosts } = row.auto_fix!;
  const rows = hosts.length > 0
    ? await readDriftRows(kv, projectId, templateId, hosts)
    : (await listDriftRows(kv, projectId, {
      ...{ states: ["would_change"], templateId, q: "", limit: LOOKED_AT },
    })).rows;
  const mayBe = (row: DriftRow) =>
    row.state === "would_change" && row.task_id === id && !row.partial && !row.accepted &&
    !row.auto_fix && isPlainHostName(row.host);
  return rows.filter((row) => row !== null).filter(mayBe).slice(0, HOSTS_MAX);
}

/** Confirms a fix whose preview shows nothing but what the check has found. Others wait. */
async function confirm(deps: Deps, { entry, task, template, actor }: Due): Promise<void> {
  if (task.status !== "waiting_confirmation") return await drop(deps, entry);
  const name = await hostWithMore(deps.kv, task, template);
  if (name !== undefined) throw new AppError(409, "errors.drift.auto_fix_more", { name });
  await confirmAutoFix(deps, task, actor, (op) => op.check(entry).delete(entry.key));
}

/** Returns a host for which a preview shows other changes than the check did. */
async function hostWithMore(
  kv: Deno.Kv,
  { id, project_id }: TaskRow,
  template: TemplateRow,
): Promise<string | undefined> {
  const run = runOf(id, true);
  const [head, hosts, playTasks] = await Promise.all([
    findHead(kv, run),
    listHosts(kv, run),
    listPlayTasks(kv, run),
  ]);
  const changed = hosts.filter(wouldChange);
  const known = await readDriftRows(kv, project_id, template.id, changed.map(({ name }) => name));
  const changes = await changeReader(kv, run, playTasks)(changed);
  const isWhole = head?.complete && head.lost === 0;
  return changed.find(({ id: host }, n) => {
    const row = known[n];
    const ids = changes.get(host) ?? [];
    return !isWhole || row?.auto_fix !== id || !ids.every((one) => row.change_ids.includes(one));
  })?.name;
}
