import { initiatorOf, userIdOf } from "../../access/actor.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { conflict, notFound, stale } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { guardProject } from "../../kv/guard_project.ts";
import { transact } from "../../kv/transact.ts";
import { runEvent } from "../events.ts";
import { workflowRows } from "../repository.ts";
import type { RunStarter, RunView, StartRunForm } from "../run_schema.ts";
import { runAnswers } from "./answers.ts";
import { runChanged } from "./changes.ts";
import { addRun, definitionOf } from "./new_run.ts";
import { requireRoomForRun } from "./repository.ts";
import { runView } from "./view.ts";

/**
 * Starts a workflow with the answers to its survey. Throws 400 for answers that do not fit, and 409
 * for a workflow without steps.
 */
export async function startRun(
  scope: ProjectScope<"run_tasks">,
  workflowId: number,
  { message, environment: open, secret }: StartRunForm,
): Promise<RunView> {
  const { deps, actor, projectId } = scope;
  const { kv, clock } = deps;
  const row = await workflowRows.get(kv, projectId, workflowId);
  if (row.steps.length === 0) throw conflict("errors.workflows.no_steps");
  const answers = await runAnswers(scope, row.survey_vars, { open, secret });
  await requireRoomForRun(kv, projectId);
  const definition = await definitionOf(kv, row);
  const run = await transact(kv, async (op) => {
    const current = await workflowRows.find(kv, projectId, workflowId);
    if (!current) throw notFound();
    if (current.row.version !== row.version) throw stale();
    op.check(current.entry);
    await guardProject(kv, op, projectId);
    const added = await addRun(kv, op, {
      workflow: row,
      definition,
      starter: starterOf({ actor }),
      message: message ?? "",
      answers,
      path: [],
      now: clock.now(),
    });
    recordEvent(op, deps, actor, runEvent(added, "started"));
    return added;
  });
  runChanged(deps, run);
  return runView(run, definition);
}

/** Returns who starts a run, as it is stored. */
export function starterOf({ actor }: Pick<ProjectScope, "actor">): RunStarter {
  const started_by = initiatorOf(actor);
  const isUser = actor.kind === "user";
  return {
    user_id: userIdOf(actor),
    username: isUser ? actor.username : actor.person?.username ?? null,
    user_name: isUser ? actor.name : null,
    ...actor.kind === "user" && actor.credential.kind === "token" && { by_token: true },
    ...started_by && { started_by },
  };
}
