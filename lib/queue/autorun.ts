import { openProject } from "../access/scope.ts";
import type { SystemActor } from "../access/actor.ts";
import { type DueList, startDueLoop } from "../kv/due.ts";
import type { Loop } from "../kv/loop.ts";
import type { Deps } from "../access/deps.ts";
import { AppError, type Sentence, sentenceOf, stale } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { rowKeys } from "../kv/keys.ts";
import { describeError } from "../base/log.ts";
import type { ProjectRow } from "../access/rows.ts";
import { templateRows } from "../templates/repository.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { type AutorunRow, putAutorun } from "./autorun_outbox.ts";
import { findTask } from "../tasks/repository.ts";
import { parseStart } from "../tasks/start_form.ts";
import { startTask } from "./start.ts";

/** Number of builds whose deploys are started in parallel. */
const BUILDS_PARALLEL_MAX = 4;
/**
 * Waits after failures that may be temporary. After them the deploy is abandoned, and an event
 * records it.
 */
const WAITS_MS = [1_000, 10_000, 60_000];
/** Wait for a project that is being deleted. Soon it is either gone or available again. */
const DELETING_MS = 1_000;

/** Starts the automatic deploys of builds, on this server or another one that shares the store. */
export const startAutoruns = (deps: Deps): Loop =>
  startDueLoop(deps, "autoruns", rowKeys.autorunsWake(), dueAutoruns(deps));

/** Returns the builds whose automatic deploys are still to be started. */
export const dueAutoruns = (deps: Deps): DueList<AutorunRow> => ({
  prefix: rowKeys.autorunsDue(),
  parallelMax: BUILDS_PARALLEL_MAX,
  handle: (entry) => startNext(deps, entry),
  put: putAutorun,
  longestWait: () => Math.max(...WAITS_MS, DELETING_MS),
});

/**
 * Starts the next deploy of one build. The progress is stored in the commit of the new task, so
 * that each deploy starts once even if a server dies. A row without a next deploy is deleted.
 */
async function startNext(deps: Deps, entry: Deno.KvEntry<AutorunRow>): Promise<void> {
  const { kv, clock } = deps;
  const { project_id: projectId, task_id: id, after } = entry.value;
  const [project, ended] = await Promise.all([
    kv.get<ProjectRow>(rowKeys.project(projectId)),
    findTask(kv, projectId, id),
  ]);
  const op = kv.atomic().check(entry);
  if (project.value?.deleting) {
    op.delete(entry.key);
    putAutorun(op, new Date(clock.now().getTime() + DELETING_MS), entry.value);
    return void await op.commit();
  }
  const template = (ended ? await templateRows.list(kv, projectId) : []).find((template) =>
    template.id > after && template.autorun && template.build_template_id === ended?.template_id
  );
  if (!ended || !template) return void await op.delete(entry.key).commit();
  const actor: SystemActor = { kind: "autorun", id, name: ended.template_name, projectId };
  try {
    const form = parseStart({ template_id: template.id, build_task_id: id });
    await startTask(
      await openProject({ deps, actor }, projectId, "run_tasks"),
      form,
      (op) => done(kv, op, entry, template),
    );
  } catch (error) {
    await failed(deps, actor, op.check(project), entry, template, error);
  }
}

/** Adds to `op` that the template is done. Throws if another server was faster. */
async function done(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  entry: Deno.KvEntry<AutorunRow>,
  { id }: TemplateRow,
) {
  const { versionstamp } = await kv.get(entry.key);
  if (versionstamp !== entry.versionstamp) throw stale();
  op.check(entry).set(entry.key, { ...entry.value, after: id, attempts: 0 });
}

/** Schedules another attempt, or records an event if that cannot help. */
async function failed(
  deps: Deps,
  actor: SystemActor,
  op: Deno.AtomicOperation,
  { key, value }: Deno.KvEntry<AutorunRow>,
  template: TemplateRow,
  error: unknown,
) {
  const { attempts } = value;
  if (!(error instanceof AppError)) {
    deps.log("error", "autorun_failed", { template: template.id, ...describeError(error) });
  }
  const waitMs = mayPass(error) ? WAITS_MS[attempts] : undefined;
  if (waitMs !== undefined) {
    op.delete(key);
    const at = new Date(deps.clock.now().getTime() + waitMs);
    putAutorun(op, at, { ...value, attempts: attempts + 1 });
  } else {
    op.set(key, { ...value, after: template.id, attempts: 0 });
    recordEvent(op, deps, actor, {
      projectId: actor.projectId,
      object: "template",
      id: template.id,
      name: template.name,
      action: "autorun_failed",
      params: { reason: reasonOf(error) },
    });
  }
  await op.commit();
}

/**
 * Whether an error may be temporary: a bug or an unavailable store, a row that others change, or a
 * full queue.
 */
const mayPass = (error: unknown): boolean =>
  !(error instanceof AppError) || [409, 429, 503].includes(error.status);

const reasonOf = (error: unknown): Sentence =>
  error instanceof AppError ? sentenceOf(error) : { key: "errors.run.internal" };
