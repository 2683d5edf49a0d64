import { neededBy, type Operation } from "../../access/operation.ts";
import type { Scope } from "../../access/scope.ts";
import { hasScope, tokenLimitsOf } from "../../access/token_scopes.ts";
import { AppError } from "../../base/errors.ts";
import { getTaskRow } from "../../model/tasks.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";

/**
 * Throws 403 for a call by a token with chosen templates, if the scope to run tasks is what allows
 * the call, and it is not about one of these templates. Calls about several templates, such as
 * those of workflows, are refused too. `body` is undefined before it was read.
 */
export async function requireTokenTemplate(
  operation: Operation,
  { deps, actor }: Scope,
  ids: Readonly<Record<string, number>>,
  body: unknown,
): Promise<void> {
  const limits = tokenLimitsOf(actor);
  const needed = neededBy(operation);
  if (!limits?.template_ids || needed === TOKEN_SCOPES || !needed.includes("run")) return;
  if (hasScope(limits, ...needed.filter((scope) => scope !== "run"))) return;
  const isAbout = "templateId" in ids || "taskId" in ids;
  if (!isAbout && operation.body && body === undefined) return;
  const sent = body as { template_id?: number; template_name?: string | null } | null | undefined;
  // The start looks a name up, and asks what the token may run.
  if (sent?.template_name && !sent.template_id) return;
  const templateId = "taskId" in ids
    ? (await getTaskRow(deps.kv, ids.projectId, ids.taskId)).template_id
    : ids.templateId ?? sent?.template_id;
  if (templateId === undefined || !limits.template_ids.includes(templateId)) {
    throw new AppError(403, "errors.token_template");
  }
}
