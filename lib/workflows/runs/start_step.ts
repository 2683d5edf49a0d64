import { openProject } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { startTask } from "../../queue/start/start.ts";
import { storeApproved } from "../../tasks/approved_inputs.ts";
import { parseStart, startTaskFields } from "../../tasks/start_form.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { ancestorsOf } from "../definition.ts";
import { decideRun, failuresBefore } from "../engine.ts";
import { NESTING_MAX } from "../limits.ts";
import { workflowRows } from "../repository.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import type { Definition, NestedStep, Step, TemplateStep } from "../schema.ts";
import { runAnswers } from "./answers.ts";
import { requireStepApproved } from "./approved.ts";
import { runActor, runChanged, setRun, withStep } from "./changes.ts";
import { reusedSteps } from "./reused_steps.ts";
import { addRun, definitionOf, runKey } from "./new_run.ts";
import { requireRoomForRun } from "./repository.ts";
import { mappedAnswers, namingValue } from "./values.ts";

/** The step was started, stopped or decided by someone else meanwhile. */
export class Overtaken extends Error {
  override name = "Overtaken";
}

/**
 * Starts the task or the nested run of a step. The commit that stores it also stores that the step
 * runs, so that it starts once, whichever server dies. Throws Overtaken if it may not start
 * anymore.
 */
export async function startStep(
  deps: Deps,
  run: RunRow,
  definition: Definition,
  step: TemplateStep | NestedStep,
): Promise<void> {
  if (step.kind === "template") await startTemplate(deps, run, definition, step);
  else await startNested(deps, run, definition, step);
  runChanged(deps, run);
}

const scopeOf = (deps: Deps, run: RunRow) =>
  openProject({ deps, actor: runActor(run) }, run.project_id, "run_tasks");

async function startTemplate(deps: Deps, run: RunRow, definition: Definition, step: TemplateStep) {
  const { kv } = deps;
  const found = await templateRows.find(kv, run.project_id, step.template_id);
  if (!found) throw new AppError(400, "errors.workflows.template_gone");
  const { params } = step;
  const own = startTaskFields.shape.environment.parse(params?.environment);
  const mapped = await mappedAnswers(deps, run, step.values, found.row.survey_vars);
  const form = parseStart({
    ...params,
    build_task_id: params?.build_task_id || buildOf(run, definition, step, found.row),
    message: params?.message || run.message,
    template_id: step.template_id,
    environment: { ...own, ...mapped.open },
    secret: mapped.secret,
  });
  const { workflow_id, id: run_id, user_id: starter_id } = run;
  await startTask(
    await scopeOf(deps, run),
    form,
    async (op, { id }) => {
      const current = await markStarted(deps, op, { run, definition, step }, { task_id: id });
      const approved = await requireStepApproved(kv, current, definition, step);
      if (approved) storeApproved(op, id, "workflow", approved);
    },
    { kind: "step", workflow: { workflow_id, run_id, step_id: step.id, starter_id } },
  ).catch((error) => {
    throw namingValue(error, step.values, mapped, definition);
  });
}

/**
 * Returns the build whose version a deploy rolls out: that of an earlier step, or the one that the
 * run was started for. Null for the latest.
 */
function buildOf(
  { steps: states, build }: RunRow,
  { steps }: Definition,
  { id }: TemplateStep,
  { build_template_id }: TemplateRow,
): number | null {
  if (build_template_id === null) return null;
  const before = ancestorsOf(steps).get(id)!;
  const tasks = steps.flatMap((step) =>
    step.kind === "template" && step.template_id === build_template_id && before.has(step.id) &&
      states[step.id].state === "success"
      ? states[step.id].task_id ?? []
      : []
  );
  if (tasks.length > 0) return Math.max(...tasks);
  return build?.template_id === build_template_id ? build.task_id : null;
}

async function startNested(deps: Deps, run: RunRow, followed: Definition, step: NestedStep) {
  const { kv } = deps;
  const { path } = run;
  if (path.includes(step.workflow_id)) {
    throw new AppError(400, "errors.workflows.nested_in_itself");
  }
  if (path.length >= NESTING_MAX) {
    throw new AppError(400, "errors.workflows.nested_too_deep", { max: NESTING_MAX });
  }
  await requireRoomForRun(kv, run.project_id);
  const found = await workflowRows.find(kv, run.project_id, step.workflow_id);
  if (!found) throw new AppError(400, "errors.workflows.workflow_gone");
  const { row } = found;
  const mapped = await mappedAnswers(deps, run, step.values, row.survey_vars);
  const answers = await runAnswers(await scopeOf(deps, run), row.survey_vars, mapped)
    .catch((error) => {
      throw namingValue(error, step.values, mapped, followed);
    });
  const definition = await definitionOf(kv, row);
  const { user_id, username, user_name, by_token, started_by, message, build } = run;
  const { repeats } = run.steps[step.id];
  const before = repeats === undefined
    ? null
    : (await kv.get<RunRow>(runKey({ ...run, id: repeats }))).value;
  const kept = before ? await reusedSteps(kv, before, definition, run) : undefined;
  await transact(kv, async (op) => {
    const current = await workflowRows.find(kv, run.project_id, row.id);
    if (current?.row.version !== row.version) throw new Overtaken();
    op.check(current.entry);
    const nested = await addRun(deps, op, {
      workflow: row,
      definition,
      starter: { user_id, username, user_name, by_token, started_by },
      message,
      answers,
      build,
      parent: { workflow_id: run.workflow_id, run_id: run.id, step_id: step.id },
      path,
      ...before && { kept, again_of: before.id },
    });
    const at = { run, definition: followed, step };
    const now = await markStarted(deps, op, at, { run_id: nested.id });
    await requireStepApproved(kv, now, followed, step);
  });
}

/** Adds to `op` that the step runs, and returns its run. Throws Overtaken if it may not start. */
async function markStarted(
  { kv, clock }: Deps,
  op: Atomic,
  { run, definition, step: { id } }: { run: RunRow; definition: Definition; step: Step },
  what: Pick<RunStep, "task_id" | "run_id">,
): Promise<RunRow> {
  const entry = await kv.get<RunRow>(runKey(run));
  const current = entry.value;
  if (!current || current.end || current.stop) throw new Overtaken();
  // Another server may have started it, or asked again for an approval.
  if (!decideRun(definition.steps, current.steps).start.includes(id)) throw new Overtaken();
  const start = clock.now().toISOString();
  const handles = failuresBefore(definition.steps, id, current.steps);
  setRun(op, entry, withStep(current, id, { state: "running", start, handles, ...what }));
  return current;
}
