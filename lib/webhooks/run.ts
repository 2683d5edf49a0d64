import type { Deps } from "../deps.ts";
import { AppError, type Message } from "../errors.ts";
import type { IntegrationRow } from "../integrations/schema.ts";
import { keyRows } from "../keys/repository.ts";
import { openSecret } from "../keys/secret.ts";
import { describeError } from "../log.ts";
import { isOwnVariable } from "../resources/own_variable.ts";
import { parseJsonObject } from "../resources/schema.ts";
import type { StartTaskInput } from "../tasks/schema.ts";
import { startTask } from "../tasks/service.ts";
import { templateRows } from "../templates/repository.ts";
import { isAuthentic } from "./authentication.ts";
import { extract, type Incoming, matches } from "./incoming.ts";
import type { Result } from "./schema.ts";

/** What came of a call for one integration. */
export interface Outcome {
  result: Result;
  reason: Message | null;
  taskId: number | null;
  /** What the caller is answered when nothing was started. */
  status: number;
}

/** Characters of JSON that a task takes as its variables. */
const VARIABLES_MAX = 16_384;

/** Checks a call against an integration, and starts its task if all is well. Never throws. */
export async function runIntegration(
  deps: Deps,
  integration: IntegrationRow,
  call: Incoming,
): Promise<Outcome> {
  const nothing = (result: Result, status: number, reason: Message): Outcome => ({
    result,
    status,
    reason,
    taskId: null,
  });
  try {
    if (!isAuthentic(integration, await secretOf(deps, integration), call)) {
      return nothing("unauthorized", 401, { key: "errors.webhooks.unauthorized" });
    }
    const failing = integration.matchers.find((matcher) => !matches(call, matcher));
    if (failing) {
      const reason = { key: "errors.webhooks.not_matched", params: { name: failing.name } };
      return nothing("not_matched", 200, reason);
    }
    const { id } = await start(deps, integration, extract(call, integration.values));
    return { result: "started", status: 200, reason: null, taskId: id };
  } catch (error) {
    const { status, ...reason } = tell(deps, integration, error);
    return nothing("failed", status, reason);
  }
}

/** The password of the integration's key; null when there is none, or none was typed in yet. */
async function secretOf(
  deps: Deps,
  { project_id, auth_method, auth_secret_id }: IntegrationRow,
): Promise<string | null> {
  if (auth_method === "" || auth_secret_id === null) return null;
  const key = await keyRows.find(deps.kv, project_id, auth_secret_id);
  if (!key) return null;
  const secret = await openSecret(deps.secrets, key.row);
  return secret.type === "login_password" ? secret.password : null;
}

/**
 * Starts the template with what was taken from the call: answers to its survey, and for other
 * names extra variables. A call's values win over those that the integration always sends.
 */
async function start(deps: Deps, integration: IntegrationRow, variables: Map<string, string>) {
  const { id, name, project_id, template_id, task_params } = integration;
  const own = [...variables.keys()].find(isOwnVariable);
  if (own) throw new AppError(400, "errors.own_variable", { name: own });
  const { survey_vars } = await templateRows.get(deps.kv, project_id, template_id);
  const secretNames = new Set(
    survey_vars.filter(({ type }) => type === "secret").map(({ name }) => name),
  );
  const split = (wanted: boolean) =>
    Object.fromEntries([...variables].filter(([name]) => secretNames.has(name) === wanted));
  const environment = { ...ownVariables(task_params), ...split(false) };
  const secret = split(true);
  if (JSON.stringify([environment, secret]).length > VARIABLES_MAX) {
    throw new AppError(400, "errors.webhooks.values_too_large", { max: VARIABLES_MAX });
  }
  const input = { ...task_params, template_id, integration_id: id, environment, secret };
  const actor = { kind: "integration", id, name, projectId: project_id } as const;
  return await startTask(deps, actor, project_id, input as StartTaskInput);
}

function ownVariables(params: IntegrationRow["task_params"]): Record<string, unknown> {
  const given = params?.environment;
  if (typeof given === "string") return parseJsonObject(given || "{}") ?? {};
  return { ...(given as Record<string, unknown> | null | undefined) };
}

function tell(
  { log }: Deps,
  { id: integration }: IntegrationRow,
  error: unknown,
): Message & { status: number } {
  if (error instanceof AppError) {
    const [field] = Object.values(error.details.fields ?? {});
    const { key, params } = field ?? error;
    return { status: error.status, key, params };
  }
  const id = crypto.randomUUID().slice(0, 8);
  log("error", "webhook_failed", { id, integration, ...describeError(error) });
  return { status: 500, key: "errors.internal", params: { id } };
}
