import * as z from "zod";
import type { SystemActor } from "../../access/actor.ts";
import type { Deps, EndFollower } from "../../access/deps.ts";
import { openProject, type ProjectScope } from "../../access/scope.ts";
import type { Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { type JobKind, jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";
import { type AnyWorker, type HeldJob, worker } from "../../jobs/worker.ts";
import { guardProject } from "../../store/guard_project.ts";
import type { Atomic } from "../../store/store.ts";
import { commitOnce } from "../../store/transact.ts";
import { causeOf } from "../../tasks/cause.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isTemporary, LATER, publicReason, workSentence } from "../outboxes/temporary.ts";

/** A successful task. The deploys or the workflows that follow it are still to be started. */
interface BuildDue {
  project_id: number;
  task_id: number;
  /** Templates or workflows up to this id are done. */
  after: number;
}

export const buildJobs = (name: string): JobKind<BuildDue> =>
  jobKind({
    name,
    schema: z.object({ project_id: z.int(), task_id: z.int(), after: z.int() }),
    uniqueBy: ({ task_id }) => task_id,
  });

/**
 * Asks for the start of what follows a successful task of these types. It starts later and does not
 * delay the task, even if the server dies in between.
 */
export const buildFollower = (
  kind: JobKind<BuildDue>,
  types: readonly TaskRow["template_type"][],
): EndFollower => ({
  name: kind.name,
  add(op, deps, { task }) {
    const { id: task_id, project_id, status, template_type } = task;
    if (status !== "success" || !types.includes(template_type)) return;
    // Nobody asked for a release when a check fixed a host.
    if (causeOf(task).kind === "fix") return;
    putJob(op, deps, kind, { project_id, task_id, after: 0 });
  },
});

interface Follower {
  id: number;
  name: string;
}

/** Objects that are started after successful builds: templates that deploy them, or workflows. */
interface Followers<F extends Follower> {
  /** Their kind in events. */
  object: "template" | "workflow";
  /** Finds those that follow a build, by id. */
  list(deps: Deps, build: TaskRow): Promise<F[]>;
  /** Starts one of them. `also` adds to the commit of the start, and throws to cancel it. */
  start(
    scope: ProjectScope<"run_tasks">,
    build: TaskRow,
    follower: F,
    also: (op: Atomic) => Promise<void>,
  ): Promise<unknown>;
}

/**
 * Returns the worker that starts what follows builds. One that cannot be started is recorded as an
 * event, and holds up no other.
 */
export const followBuilds = <F extends Follower>(
  kind: JobKind<BuildDue>,
  followers: Followers<F>,
): AnyWorker<Deps> =>
  worker<BuildDue, Deps>({
    ...LATER,
    kind,
    run: (deps, job) => startNext(deps, followers, job),
    async gaveUp(deps, job, reason) {
      const due = await findNext(deps, followers, job.input);
      if (due) await passOver(deps, followers, job, due, publicReason(reason));
      return true;
    },
  });

/** A build, and the next of its followers. */
interface Due<F> {
  build: TaskRow;
  next: F;
  actor: SystemActor;
}

async function findNext<F extends Follower>(
  deps: Deps,
  followers: Followers<F>,
  { project_id: projectId, task_id: id, after }: BuildDue,
): Promise<Due<F> | null> {
  const build = await findTask(deps.kv, projectId, id);
  const next = build && (await followers.list(deps, build)).find((other) => other.id > after);
  if (!next) return null;
  return { build, next, actor: { kind: "autorun", id, name: build.template_name, projectId } };
}

/**
 * Starts the next follower of one build. The progress is stored in the commit of the start, so that
 * each follower starts once even if a server dies.
 */
async function startNext<F extends Follower>(
  deps: Deps,
  followers: Followers<F>,
  job: HeldJob<BuildDue>,
): Promise<void> {
  const due = await findNext(deps, followers, job.input);
  if (!due) return;
  const { build, next, actor } = due;
  try {
    const scope = await openProject({ deps, actor }, job.input.project_id, "run_tasks");
    await followers.start(scope, build, next, (op) => goOn(deps, op, job, next));
  } catch (error) {
    if (isTemporary(error)) throw error;
    await passOver(deps, followers, job, due, workSentence(error));
  }
}

/** Adds to `op` that a follower is done. Throws if another server was faster. */
const goOn = (
  { clock }: Deps,
  op: Atomic,
  job: HeldJob<BuildDue>,
  { id }: Follower,
): Promise<void> => job.again(op, clock.now(), { ...job.input, after: id });

/** Records that a follower could not be started, and goes on with the others. */
async function passOver<F extends Follower>(
  deps: Deps,
  { object }: Followers<F>,
  job: HeldJob<BuildDue>,
  { next, actor }: Due<F>,
  reason: Sentence,
): Promise<void> {
  const { kv } = deps;
  const op = kv.atomic();
  await guardProject(kv, op, actor.projectId);
  await goOn(deps, op, job, next);
  recordEvent(op, deps, actor, {
    projectId: actor.projectId,
    object,
    id: next.id,
    name: next.name,
    action: "autorun_failed",
    params: { reason },
  });
  await commitOnce(op);
}
