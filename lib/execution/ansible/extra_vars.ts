import { type Secret, secretJsonWith } from "../../base/secret.ts";
import type { TaskDetails } from "../run/plan.ts";
import { literalVars } from "./literal.ts";
import type { AnsiblePlan } from "./plan.ts";

/** Returns the JSON of a play's extra vars. */
export function extraVarsJson(plan: AnsiblePlan): Secret {
  const vars = extraVars(plan);
  const texts = Object.entries(plan.extraVarTexts ?? {})
    .filter(([name]) => vars[name] === plan.extraVars[name]);
  return secretJsonWith(vars, new Map(texts));
}

/**
 * Returns the extra vars of a play. They include the task, both under Callboard's name and under
 * the name that existing plays use.
 */
function extraVars(plan: AnsiblePlan): Record<string, unknown> {
  const vars = { task_details: taskDetails(plan.taskId, plan.details) };
  return {
    ...plan.extraVars,
    ...literalVars(plan.answers),
    ...literalVars(plan.secretVars),
    ...literalVars({ semaphore_vars: vars, callboard_vars: vars }),
  };
}

function taskDetails(id: number, details: TaskDetails): Record<string, unknown> {
  const { message, username, url, type, incomingVersion, targetVersion } = details;
  return {
    id,
    ...(message ? { message } : {}),
    username,
    url,
    ...(type ? { type } : {}),
    ...(incomingVersion === null ? {} : { incoming_version: incomingVersion }),
    ...(targetVersion === null ? {} : { target_version: targetVersion }),
  };
}
