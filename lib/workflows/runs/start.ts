import { initiatorOf, userIdOf } from "../../access/actor.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { requireMayRun, sightOf } from "../../access/sight.ts";
import { AppError, conflict, notFound, stale } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { guardProject } from "../../store/guard_project.ts";
import { inTurn, transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { runEvent } from "../events.ts";
import { workflowRows } from "../repository.ts";
import type { Definition, WorkflowRow } from "../schema.ts";
import type { RunRow, RunStarter, RunView, StartRunForm } from "../run_schema.ts";
import { runAnswers } from "./answers.ts";
import { runChanged } from "./changes.ts";
import { requireMayStartEarlier } from "./earlier.ts";
import { addRun, definitionOf } from "./new_run.ts";
import { hasDefinition, readDefinition, requireRoomForRun } from "./repository.ts";
import { seenRun } from "../seen.ts";
import { runView } from "./view.ts";

/** More about the start of a run. */
export interface RunStart {
  /** The build that it is started for. */
  build?: RunRow["build"];
  /**
   * Adds mutations that must be stored with the run or not at all. It may be called several times,
   * and throws to cancel the start.
   */
  also?(op: Atomic, run: RunRow): Promise<void>;
}

/**
 * Starts a workflow with the answers to its survey. Throws 400 for answers that do not fit and for
 * a version that is not stored, 403 for an earlier version without the right to manage resources
 * and for a workflow that the actor may not run, 404 for one that they do not see,
 * and 409 for a workflow without steps.
 */
export async function startRun(
  scope: ProjectScope<"run_tasks">,
  workflowId: number,
  { message, environment: open, secret, version }: StartRunForm,
  { build, also }: RunStart = {},
): Promise<RunView> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayRun(scope, "workflows", workflowId);
  const row = await workflowRows.get(kv, projectId, workflowId);
  if (version !== null && version !== row.version) requireMayStartEarlier(scope);
  const definition = await asked(kv, row, version ?? row.version);
  if (definition.steps.length === 0) throw conflict("errors.workflows.no_steps");
  const answers = await runAnswers(scope, definition.survey_vars, { open, secret });
  await requireRoomForRun(kv, projectId);
  const add = async (op: Atomic) => {
    const current = await workflowRows.find(kv, projectId, workflowId);
    if (!current) throw notFound();
    if (current.row.version !== row.version) throw stale();
    op.check(current.entry);
    await guardProject(kv, op, projectId);
    const added = await addRun(deps, op, {
      workflow: row,
      definition,
      starter: starterOf({ actor }),
      message: message ?? "",
      answers,
      path: [],
      build,
    });
    await also?.(op, added);
    recordEvent(op, deps, actor, runEvent(added, "started"));
    return added;
  };
  const run = await inTurn(kv, "workflow runs", () => transact(kv, add));
  runChanged(deps, run);
  return seenRun(await sightOf(scope), runView(run, definition), definition);
}

/** Returns the definition to follow. Throws 400 for an earlier one that no stored run follows. */
async function asked(kv: Store, row: WorkflowRow, version: number): Promise<Definition> {
  if (version === row.version) return await definitionOf(kv, row);
  const { project_id, id: workflow_id } = row;
  if (await hasDefinition(kv, { project_id, id: workflow_id, version })) {
    return await readDefinition(kv, { project_id, workflow_id, version });
  }
  const key = "errors.workflows.no_version";
  throw new AppError(400, key, { version }, { fields: { version: { key, params: { version } } } });
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
    ...started_by && { started_by: { ...started_by, id: actor.id } },
  };
}
