import type { ProjectScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { byteLength } from "../../base/fields.ts";
import { validateAnswers } from "../../surveys/answers.ts";
import type { ChoiceLists } from "../../surveys/choices.ts";
import type { Freshness } from "../../surveys/latest_text.ts";
import { loadChoiceLists } from "../../surveys/load_lists.ts";
import type { SurveyVar } from "../../surveys/schema.ts";
import { ANSWERS_BYTES_MAX } from "../limits.ts";
import { getSeenWorkflow } from "../seen.ts";

/** A workflow has no repository and no inventory of its own. Choices may come from a URL. */
const NOWHERE = { repositoryId: null, commit: {}, inventoryId: null, labels: [] };

interface GivenAnswers {
  open: Record<string, unknown>;
  secret: Record<string, unknown>;
}

/** Answers to the survey of a workflow, with the secret ones also encrypted for the store. */
export interface RunAnswers {
  open: Record<string, unknown>;
  secret: Record<string, string>;
  sealed: Uint8Array | null;
}

/** Loads the choices for a form. People who see it may not see the addresses of its sources. */
export async function loadRunChoices(
  scope: ProjectScope,
  workflowId: number,
  freshness: Freshness,
): Promise<ChoiceLists> {
  const { survey_vars } = await getSeenWorkflow(scope, workflowId);
  return await loadChoiceLists(scope, NOWHERE, survey_vars, freshness);
}

/** Checks the answers to the survey of a workflow. Throws 400 for answers that do not fit. */
export async function runAnswers(
  scope: ProjectScope<"run_tasks">,
  survey: readonly SurveyVar[],
  { open: given, secret: givenSecret }: GivenAnswers,
): Promise<RunAnswers> {
  const lists = await loadChoiceLists(scope, NOWHERE, survey, "start");
  // Not even managers set other variables: they would go nowhere.
  const { open, secret } = validateAnswers(survey, { lists, given, givenSecret, manages: false });
  for (const some of [open, secret]) {
    if (byteLength(JSON.stringify(some)) > ANSWERS_BYTES_MAX) {
      throw new AppError(400, "errors.answers_too_large", { max: ANSWERS_BYTES_MAX });
    }
  }
  const isSecret = Object.keys(secret).length > 0;
  const sealed = isSecret ? await scope.deps.secrets.seal(JSON.stringify(secret)) : null;
  return { open, secret, sealed };
}
