import type { ProjectScope } from "../../access/scope.ts";
import { requireMayRun, sightOf } from "../../access/sight.ts";
import { getSeenRun, seenRun } from "../seen.ts";
import { conflict, notFound, stale } from "../../base/errors.ts";
import { parseExact } from "../../base/text/exact_json.ts";
import { recordEvent } from "../../events/record.ts";
import { guardProject } from "../../store/guard_project.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { runEvent } from "../events.ts";
import { workflowRows } from "../repository.ts";
import type { RunAgainForm, RunRow, RunView } from "../run_schema.ts";
import { runAnswers } from "./answers.ts";
import { runChanged } from "./changes.ts";
import { reusedSteps } from "./reused_steps.ts";
import { definitionAgain } from "./earlier.ts";
import { addRun } from "./new_run.ts";
import { requireRoomForRun } from "./repository.ts";
import { starterOf } from "./start.ts";
import { runView } from "./view.ts";

/**
 * Repeats a run that has failed or was stopped. Steps that succeeded are kept, if all steps before
 * them are. `also` adds mutations that must be stored with the run or not at all. Throws 409 if it
 * has not ended, or was successful, and as `definitionAgain` does.
 */
export async function runAgain(
  scope: ProjectScope<"run_tasks">,
  workflowId: number,
  id: number,
  { latest, secret }: RunAgainForm,
  also?: (op: Atomic, run: RunRow) => Promise<void>,
): Promise<RunView> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayRun(scope, "workflows", workflowId);
  const repeated = await getSeenRun(scope, workflowId, id);
  const before = repeated.value;
  if (before.end === null) throw conflict("errors.workflows.run_open");
  if (before.status === "success") throw conflict("errors.workflows.nothing_failed");
  const row = await workflowRows.get(kv, projectId, workflowId);
  const definition = await definitionAgain(scope, row, before, latest);
  const asked = new Set(definition.survey_vars.map(({ name }) => name));
  const given = Object.entries(parseExact(before.environment) as Record<string, unknown>);
  const open = Object.fromEntries(given.filter(([name]) => asked.has(name)));
  const answers = await runAnswers(scope, definition.survey_vars, { open, secret });
  await requireRoomForRun(kv, projectId);
  const starter = starterOf({ actor });
  const kept = await reusedSteps(kv, before, definition, starter);
  const run = await transact(kv, async (op) => {
    const current = await workflowRows.find(kv, projectId, workflowId);
    if (!current) throw notFound();
    if (current.row.version !== row.version) throw stale();
    op.check(current.entry, repeated);
    await guardProject(kv, op, projectId);
    const added = await addRun(deps, op, {
      workflow: row,
      definition,
      starter,
      message: before.message,
      answers,
      kept,
      path: [],
      build: before.build,
      again_of: before.id,
    });
    await also?.(op, added);
    recordEvent(op, deps, actor, runEvent(added, "started_again", { before: before.id }));
    return added;
  });
  runChanged(deps, run);
  return seenRun(await sightOf(scope), runView(run, definition), definition);
}
