import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { getSeenRun, HIDDEN_STEP, seenSteps } from "../seen.ts";
import { parseExact } from "../../base/text/exact_json.ts";
import { labelOf, linksOf } from "../definition.ts";
import type { ComparedStep, RunComparison, RunSide, StepSide } from "../compare_schema.ts";
import type { RunView, WholeRunView } from "../run_schema.ts";
import type { Definition, Step } from "../schema.ts";
import { listProjectRuns } from "./history.ts";
import { readDefinition } from "./repository.ts";
import { getRun } from "./view.ts";

/**
 * Compares a run with another one of its workflow: by default the latest successful one before it.
 * `base` is null if there is none. Throws not found for a run of another workflow.
 */
export async function compareWorkflowRuns(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
  baseId?: number,
): Promise<RunComparison> {
  const run = await readSide(scope, workflowId, runId);
  const other = baseId ?? (await lastSuccess(scope, workflowId, runId))?.id;
  const base = other === undefined ? null : await readSide(scope, workflowId, other);
  return {
    run: sideOf(run.run),
    base: base && sideOf(base.run),
    answers: base ? comparedAnswers(run, base) : [],
    steps: comparedSteps(run, base),
  };
}

interface Read {
  run: WholeRunView;
  definition: Definition;
}

async function readSide(scope: ProjectScope, workflowId: number, id: number): Promise<Read> {
  const { kv } = scope.deps;
  const [sight, run, { value: row }] = await Promise.all([
    sightOf(scope),
    getRun(scope, workflowId, id),
    getSeenRun(scope, workflowId, id),
  ]);
  const definition = await readDefinition(kv, row);
  return { run, definition: { ...definition, steps: seenSteps(sight, definition.steps) } };
}

async function lastSuccess(
  scope: ProjectScope,
  workflowId: number,
  before: number,
): Promise<RunView | undefined> {
  const { runs: [run] } = await listProjectRuns(scope, {
    limit: 1,
    before,
    workflowId,
    statuses: ["success"],
  });
  return run;
}

const sideOf = (
  { id, version, status, message, created, end, user_id, username, user_name, initiator }:
    WholeRunView,
): RunSide => ({
  ...{ id, version, status, message, created, end },
  ...{ user_id, username, user_name, initiator },
});

/** Returns the answers of both runs by question. Secret answers are not stored. */
function comparedAnswers(run: Read, base: Read): RunComparison["answers"] {
  const [own, other] = [run, base].map(({ run }) =>
    parseExact(run.environment) as Record<string, unknown>
  );
  const titles = new Map(
    [...base.definition.survey_vars, ...run.definition.survey_vars]
      .map(({ name, title }) => [name, title]),
  );
  return [...new Set([...Object.keys(own), ...Object.keys(other)])].map((name) => {
    const [a, b] = [own[name], other[name]].map(textOf);
    return { name, title: titles.get(name) || name, run: a, base: b, differs: a !== b };
  });
}

const textOf = (value: unknown): string | null =>
  value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);

/** Returns the steps of the run in their order, and then those that only the other one has. */
function comparedSteps(run: Read, base: Read | null): ComparedStep[] {
  const [own, other] = [run, base].map((read) =>
    new Map(read?.definition.steps.map((step) => [step.id, step]))
  );
  const [ownLinks, otherLinks] = [run, base].map((read) => linksOf(read?.definition.steps ?? []));
  return [...new Set([...own.keys(), ...other.keys()])].map((id): ComparedStep => {
    const [step, before] = [own.get(id), other.get(id)];
    const known = (step ?? before)!;
    const changed = step && before
      ? changedFields(
        { ...step, after: ownLinks.get(id)! },
        { ...before, after: otherLinks.get(id)! },
      )
      : [];
    return {
      id,
      name: known.hidden ? HIDDEN_STEP : labelOf(known),
      kind: known.kind,
      change: base ? changeOf(step, before, changed) : "same",
      changed,
      run: stepSide(run.run, id),
      base: base && stepSide(base.run, id),
    };
  });
}

function changeOf(
  step: Step | undefined,
  before: Step | undefined,
  changed: readonly string[],
): ComparedStep["change"] {
  if (!before) return "added";
  if (!step) return "removed";
  return changed.length > 0 ? "changed" : "same";
}

/** Returns the names of the members that differ. Those of an approval stand beside the others. */
function changedFields(step: Step, before: Step): string[] {
  const [a, b] = [step, before].map((one) => {
    const { approval, ...rest } = { approval: {}, ...one };
    return { ...rest, ...approval } as Record<string, unknown>;
  });
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

function stepSide({ steps }: WholeRunView, id: number): StepSide | null {
  const step = steps.find((step) => step.id === id);
  if (!step) return null;
  const { state, start, end, template_id, task_id, workflow_id, run_id, reason } = step;
  return { state, start, end, template_id, task_id, workflow_id, run_id, reason };
}
