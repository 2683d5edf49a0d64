import type { Deps } from "../../access/deps.ts";
import { takeIds } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { queueRun } from "../../queue/outboxes/workflow_outbox.ts";
import { templateRows } from "../../templates/repository.ts";
import { workflowRows } from "../repository.ts";
import type { RunRow, RunStarter, RunStep } from "../run_schema.ts";
import type { Definition, Step, WorkflowRow } from "../schema.ts";
import type { RunAnswers } from "./answers.ts";
import { keepApproved } from "./approved_rows.ts";
import { hasDefinition } from "./repository.ts";
import { insertRun } from "./stored_runs.ts";

/** A run that is about to be stored. */
interface NewRun {
  workflow: Pick<WorkflowRow, "id" | "project_id" | "name">;
  definition: Definition;
  starter: RunStarter;
  message: string;
  answers: RunAnswers;
  /** Steps that begin in another state than pending. */
  kept?: Record<string, RunStep>;
  parent?: RunRow["parent"];
  /** The workflows that lead to this one. */
  path: number[];
  build?: RunRow["build"];
  again_of?: number;
}

/** Adds a new run to `op`. The caller checks in `op` that the workflow exists. */
export async function addRun(
  deps: Pick<Deps, "kv" | "clock">,
  op: Atomic,
  { workflow, definition, starter, path, kept = {}, answers, ...rest }: NewRun,
): Promise<RunRow> {
  const { kv, clock } = deps;
  const { project_id, id: workflow_id } = workflow;
  const { version, steps } = definition;
  const [[id], isStored] = await Promise.all([
    takeIds(kv, op, "workflow_runs", 1),
    hasDefinition(kv, { project_id, id: workflow_id, version }),
  ]);
  const run: RunRow = {
    id,
    project_id,
    workflow_id,
    workflow_name: workflow.name,
    version,
    status: "running",
    created: clock.now().toISOString(),
    end: null,
    ...starter,
    ...rest,
    environment: JSON.stringify(answers.open),
    has_secrets: answers.sealed !== null,
    steps: Object.fromEntries(steps.map(({ id }) => [id, kept[id] ?? { state: "pending" }])),
    path: [...path, workflow_id],
    stop: "",
    end_reason: null,
  };
  if (rest.again_of) await keepApproved(kv, op, run, rest.again_of);
  insertRun(op, run, isStored ? null : definition, answers.sealed);
  queueRun(op, deps, { project_id, run_id: id });
  return run;
}

/** Returns the definition that a run follows. Steps without a name get that of their target. */
export async function definitionOf(kv: Store, row: WorkflowRow): Promise<Definition> {
  const { version, steps, survey_vars, changed_by } = row;
  const named = await Promise.all(steps.map(async (step): Promise<Step> => {
    if (step.name !== "") return step;
    const target = step.kind === "template"
      ? await templateRows.find(kv, row.project_id, step.template_id)
      : step.kind === "workflow"
      ? await workflowRows.find(kv, row.project_id, step.workflow_id)
      : null;
    return { ...step, name: target?.row.name ?? "" };
  }));
  return { version, steps: named, survey_vars, changed_by };
}

/** Returns the key of a run's row. */
export const runKey = ({ project_id, id }: Pick<RunRow, "project_id" | "id">): Deno.KvKey =>
  rowKeys.workflowRun(project_id, id);
