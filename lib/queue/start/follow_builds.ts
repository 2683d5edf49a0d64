import { openProject, type ProjectScope } from "../../access/scope.ts";
import type { SystemActor } from "../../access/actor.ts";
import type { DueList } from "../../store/due.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, stale } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { describeError } from "../../base/log.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { findTask } from "../../model/tasks.ts";
import type { AutorunRow } from "../outboxes/autorun_outbox.ts";
import { DELETING_MS, isTemporary, WAITS_MS, workSentence } from "../outboxes/temporary.ts";
import { findProjectEntry } from "../../model/projects.ts";

/** Number of builds whose followers are started in parallel. */
const BUILDS_PARALLEL_MAX = 4;

interface Follower {
  id: number;
  name: string;
}

/** Objects that are started after successful builds: templates that deploy them, or workflows. */
interface Followers<F extends Follower> extends Pick<DueList<AutorunRow>, "prefix" | "put"> {
  /** Their kind in events. */
  object: "template" | "workflow";
  /** Finds those that follow a build, by id. */
  list(build: TaskRow): Promise<F[]>;
  /** Starts one of them. `also` adds to the commit of the start, and throws to cancel it. */
  start(
    scope: ProjectScope<"run_tasks">,
    build: TaskRow,
    follower: F,
    also: (op: Atomic) => Promise<void>,
  ): Promise<unknown>;
}

/** Returns the builds whose followers are still to be started. */
export const followBuilds = <F extends Follower>(
  deps: Deps,
  followers: Followers<F>,
): DueList<AutorunRow> => ({
  prefix: followers.prefix,
  parallelMax: BUILDS_PARALLEL_MAX,
  handle: (entry) => startNext(deps, followers, entry),
  put: followers.put,
  longestWait: () => Math.max(...WAITS_MS, DELETING_MS),
});

/**
 * Starts the next follower of one build. The progress is stored in the commit of the start, so that
 * each follower starts once even if a server dies. A row without a next one is deleted.
 */
async function startNext<F extends Follower>(
  deps: Deps,
  followers: Followers<F>,
  entry: Deno.KvEntry<AutorunRow>,
): Promise<void> {
  const { kv, clock } = deps;
  const { project_id: projectId, task_id: id, after } = entry.value;
  const [project, ended] = await Promise.all([
    findProjectEntry(kv, projectId),
    findTask(kv, projectId, id),
  ]);
  const op = kv.atomic().check(entry);
  if (project.value?.deleting) {
    op.delete(entry.key);
    followers.put(op, new Date(clock.now().getTime() + DELETING_MS), entry.value);
    return void await op.commit();
  }
  const next = (ended ? await followers.list(ended) : []).find((follower) => follower.id > after);
  if (!ended || !next) return void await op.delete(entry.key).commit();
  const actor: SystemActor = { kind: "autorun", id, name: ended.template_name, projectId };
  try {
    const scope = await openProject({ deps, actor }, projectId, "run_tasks");
    await followers.start(scope, ended, next, (op) => done(kv, op, entry, next));
  } catch (error) {
    await failed(deps, actor, op.check(project), entry, { ...followers, next }, error);
  }
}

/** Adds to `op` that a follower is done. Throws if another server was faster. */
async function done(
  kv: Store,
  op: Atomic,
  entry: Deno.KvEntry<AutorunRow>,
  { id }: Follower,
) {
  const { versionstamp } = await kv.get(entry.key);
  if (versionstamp !== entry.versionstamp) throw stale();
  op.check(entry).set(entry.key, { ...entry.value, after: id, attempts: 0 });
}

/** Schedules another attempt, or records an event if that cannot help. */
async function failed(
  deps: Deps,
  actor: SystemActor,
  op: Atomic,
  { key, value }: Deno.KvEntry<AutorunRow>,
  { object, put, next: { id, name } }: Pick<Followers<Follower>, "object" | "put"> & {
    next: Follower;
  },
  error: unknown,
) {
  const { attempts } = value;
  if (!(error instanceof AppError)) {
    deps.log("error", "autorun_failed", { [object]: id, ...describeError(error) });
  }
  const waitMs = isTemporary(error) ? WAITS_MS[attempts] : undefined;
  if (waitMs !== undefined) {
    op.delete(key);
    const at = new Date(deps.clock.now().getTime() + waitMs);
    put(op, at, { ...value, attempts: attempts + 1 });
  } else {
    op.set(key, { ...value, after: id, attempts: 0 });
    recordEvent(op, deps, actor, {
      projectId: actor.projectId,
      object,
      id,
      name,
      action: "autorun_failed",
      params: { reason: workSentence(error) },
    });
  }
  await op.commit();
}
