import type { ProjectScope } from "../../access/scope.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import { maySeeRun, seenRun } from "../seen.ts";
import type { Sentence } from "../../base/errors.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import { labelOf } from "../definition.ts";
import type { RunRow, RunView } from "../run_schema.ts";
import type { ApprovalStep, Definition } from "../schema.ts";
import { readDefinition } from "./repository.ts";
import { readerRefusal, runView } from "./view.ts";
import { listVotes } from "./vote_rows.ts";

/** Number of waiting runs that are checked for the reader. */
const ASKING_MAX = 50;

/** A step of a run that the reader may approve or reject now. */
export interface Question {
  run: RunView;
  stepId: number;
  name: string | Sentence;
  /** Votes so far, and the votes needed. */
  approved: number;
  needed: number;
  /** Time at which its time limit decides; null for no limit. */
  until: string | null;
}

/** Returns the steps that wait for a vote of the reader, the oldest run first. */
export async function listQuestions(scope: ProjectScope): Promise<Question[]> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const prefix = rowKeys.askingWorkflowRuns(projectId);
  const ids = await Array.fromAsync(
    kv.list({ prefix }, { limit: ASKING_MAX }),
    ({ key }) => key.at(-1) as number,
  );
  const rows = await getAll<RunRow>(kv, ids.map((id) => rowKeys.workflowRun(projectId, id)));
  const found = await Promise.all(
    rows.map(async ({ value }) =>
      value && maySeeRun(sight, value) ? await questionsOf(scope, sight, value) : []
    ),
  );
  return found.flat();
}

async function questionsOf(scope: ProjectScope, sight: Sight, run: RunRow): Promise<Question[]> {
  const { kv } = scope.deps;
  const [definition, votes] = await Promise.all([readDefinition(kv, run), listVotes(kv, run)]);
  const waiting = definition.steps.filter((step): step is ApprovalStep =>
    step.kind === "approval" && run.steps[step.id].state === "waiting"
  );
  const questions = waiting.map(async (step): Promise<Question[]> => {
    const refusal = await readerRefusal(scope, run, definition, step, votes.get(step.id) ?? []);
    return refusal === null ? [questionOf(sight, run, definition, step)] : [];
  });
  return (await Promise.all(questions)).flat();
}

function questionOf(
  sight: Sight,
  run: RunRow,
  definition: Definition,
  step: ApprovalStep,
): Question {
  const { approved = 0, until = null } = run.steps[step.id];
  return {
    run: seenRun(sight, runView(run, definition), definition),
    stepId: step.id,
    name: labelOf(step),
    approved,
    needed: step.approval.needed,
    until,
  };
}
