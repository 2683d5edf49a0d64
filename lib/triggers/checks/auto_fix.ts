import type { SystemActor } from "../../access/actor.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { openProject } from "../../access/scope.ts";
import { AppError, sentenceOf, type SentenceParams, stale } from "../../base/errors.ts";
import { readHostParts } from "../../drift/host_parts.ts";
import { listDriftRows } from "../../drift/list.ts";
import { type FixDue, fixJobs } from "../../drift/outbox.ts";
import type { DriftRow } from "../../model/drift_row.ts";
import { findDriftSummary, openDrift, readDriftRows } from "../../drift/store.ts";
import { recordEvent } from "../../events/record.ts";
import { isPlainHostName } from "../../execution/ansible/results/fields.ts";
import { type Job, worker } from "../../jobs/worker.ts";
import { commitOnce, isStale } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { runOf } from "../../output/run_id.ts";
import { confirmAutoFix } from "../../queue/approvals/confirm.ts";
import { copyOf, effectiveOf } from "../../queue/start/new_task.ts";
import { causeOf } from "../../tasks/cause.ts";
import { readHostNames } from "../../tasks/host_store.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { mayAutoFix } from "../../drift/auto_fix.ts";
import { WAITS_MS } from "../../queue/outboxes/temporary.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { countStates, startFixOf } from "./fix.ts";

/** Fixes hosts as their templates allow, on this server or another one that shares the store. */
export const fixWorker = worker<FixDue, Deps>({
  kind: fixJobs,
  attempts: 5,
  waitsMs: WAITS_MS,
  limitMs: 5 * 60_000,
  parallel: 4,
  hold: maintenanceHold,
  run: handleFix,
});

/** A job with what it refers to. */
interface Due {
  job: Job<FixDue>;
  template: TemplateRow;
  templateEntry: Deno.KvEntry<TemplateRow>;
  task: TaskRow;
  /** Whether that is a fix which waits for its confirmation. Otherwise it is a check. */
  isFix: boolean;
  actor: SystemActor;
}

async function handleFix(deps: Deps, job: Job<FixDue>): Promise<void> {
  const { kv } = deps;
  const { project_id: projectId, template_id, task_id } = job.input;
  const [found, task] = await Promise.all([
    templateRows.find(kv, projectId, template_id),
    findTask(kv, projectId, task_id),
  ]);
  if (!found || !task) return;
  const template = found.row;
  const actor = { kind: "drift" as const, id: template_id, name: template.name, projectId };
  const isFix = causeOf(task).kind === "fix";
  const due = { job, template, templateEntry: found.entry, task, isFix, actor };
  try {
    await (isFix ? confirm(deps, due) : start(deps, due));
  } catch (error) {
    // Another server was faster, or something has changed meanwhile: it is looked at again.
    if (!(error instanceof AppError) || isStale(error)) throw error;
    const action = isFix ? "auto_fix_waits" : "auto_fix_failed";
    await drop(deps, due, { action, params: { id: task_id, reason: sentenceOf(error) } });
  }
}

/** Ends a job, with an event about its template. People are notified of a fix that waits. */
async function drop(
  deps: Deps,
  { job, task, isFix, actor, template }: Due,
  event?: { action: string; params: SentenceParams },
): Promise<void> {
  const current = isFix && await findTask(deps.kv, task.project_id, task.id);
  const op = deps.kv.atomic();
  await job.end(op);
  const waits = current && current.status === "waiting_confirmation";
  if (waits) await queueTaskAlert(op, deps, current);
  if (event && (waits || !isFix)) recordEvent(op, deps, actor, eventOf(template, event));
  await commitOnce(op);
}

const eventOf = (
  { project_id, id, name }: TemplateRow,
  event: { action: string; params: SentenceParams },
) => ({ projectId: project_id, object: "template", id, name, ...event }) as const;

/** Number of hosts that are fixed together. Each takes a row of one commit. */
const HOSTS_MAX = 500;
const LOOKED_AT = 10_000;

/** Starts the fix of a check. The commit of its start ends the job and marks the hosts. */
async function start(deps: Deps, due: Due): Promise<void> {
  const { kv } = deps;
  const { job, template, templateEntry, task: check, actor } = due;
  const { project_id: projectId, id: templateId } = template;
  if (!mayAutoFix(template) || !isAsChecked(template, check)) return await drop(deps, due);
  const names = (await hostsToFix(kv, template, check)).map(({ host }) => host);
  const summary = await findDriftSummary(kv, projectId, templateId);
  if (names.length === 0 || summary?.task_id !== check.id) return await drop(deps, due);
  const scope = await openProject({ deps, actor }, projectId, "run_tasks");
  await startFixOf(scope, check, names, {
    of: countStates(summary),
    commit_hash: check.commit_hash,
    tags: template.auto_fix!.tags,
    async also(op, { id }) {
      const { versionstamp } = await kv.get(templateEntry.key);
      if (versionstamp !== templateEntry.versionstamp) throw stale();
      await job.end(op);
      const drift = await openDrift(kv, op, projectId, templateId);
      const rows = (await readDriftRows(kv, projectId, templateId, names)).filter(isFixable(check));
      if (drift?.summary.task_id !== check.id || rows.length < names.length) throw stale();
      for (const row of rows) drift.put(row, { ...row, auto_fix: id });
      await drift.store();
      const params = { id, check: check.id, hosts: names.length };
      recordEvent(op, deps, actor, eventOf(template, { action: "auto_fix_started", params }));
    },
  });
}

/** Whether a task of the template as it is now runs what a check has run. */
function isAsChecked(template: TemplateRow, check: TaskRow): boolean {
  const {
    template_name: _,
    suppress_success_alerts: __,
    suppress_error_alerts: ___,
    ...copied
  } = copyOf(template);
  // Members that only some tasks have are compared, too.
  const rare = { ssh_keys: undefined, identity_audience: undefined };
  const now = { ...rare, ...copied, ...effectiveOf(template, check.given) };
  return Object.entries(now).every(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(check[name as keyof TaskRow])
  );
}

/**
 * Returns the hosts that may be fixed: the check has found all that they need, no one has
 * accepted it, and none was tried since it matched.
 */
async function hostsToFix(kv: Store, row: TemplateRow, check: TaskRow): Promise<DriftRow[]> {
  const { project_id: projectId, id: templateId } = row;
  const { hosts } = row.auto_fix!;
  const rows = hosts.length > 0
    ? await readDriftRows(kv, projectId, templateId, hosts)
    : (await listDriftRows(kv, projectId, {
      ...{ states: ["would_change"], templateId, q: "", limit: LOOKED_AT },
    })).rows;
  return rows.filter(isFixable(check)).slice(0, HOSTS_MAX);
}

const isFixable = ({ id }: TaskRow) => (row: DriftRow | null): row is DriftRow =>
  row?.state === "would_change" && row.task_id === id && !row.partial && !row.accepted &&
  !row.auto_fix && isPlainHostName(row.host);

/** Confirms a fix whose preview shows nothing but what the check has found. Others wait. */
async function confirm(deps: Deps, due: Due): Promise<void> {
  const { job, task, template, templateEntry, actor } = due;
  if (task.status !== "waiting_confirmation" || !await isStillNamed(deps.kv, due)) {
    return await drop(deps, due);
  }
  const name = await hostWithMore(deps.kv, task, template);
  if (name !== undefined) throw new AppError(409, "errors.drift.auto_fix_more", { name });
  await confirmAutoFix(
    deps,
    task,
    actor,
    (op) => job.end(op.check(templateEntry)),
  );
}

/** Whether the template still lets checks fix all hosts of a task, and with its tags. */
async function isStillNamed(kv: Store, { template, task }: Due): Promise<boolean> {
  const { hosts = [], tags = [] } = template.auto_fix ?? {};
  const names = await readHostNames(kv, task) ?? [];
  return mayAutoFix(template) && String(tags) === String(task.given.tags) &&
    (hosts.length === 0 || names.every((name) => hosts.includes(name)));
}

/**
 * Returns a host for which a preview shows other changes than the check did, or that it could only
 * check in part. What check mode leaves out would run without having been seen.
 */
async function hostWithMore(
  kv: Store,
  task: TaskRow,
  { id: templateId }: TemplateRow,
): Promise<string | undefined> {
  const { id, project_id } = task;
  const { hosts, isWhole } = await readHostParts(kv, { id: runOf(id, true), check: true });
  if (!isWhole || hosts.length === 0) return (await readHostNames(kv, task))?.[0] ?? "";
  const known = await readDriftRows(kv, project_id, templateId, hosts.map(({ name }) => name));
  return hosts.find(({ checked, change_ids }, n) => {
    const row = known[n];
    return checked.partial || row?.auto_fix !== id || row.accepted ||
      !change_ids.every((one) => row.change_ids.includes(one));
  })?.name;
}
