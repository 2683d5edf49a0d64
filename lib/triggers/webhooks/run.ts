import { openProject } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
import { type IntegrationRow, isOpen } from "../integrations/schema.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { openSecret } from "../../resources/keys/secret.ts";
import { describeError } from "../../base/log.ts";
import { reveal } from "../../base/secret.ts";
import { isOwnVariable } from "../../execution/ansible/own_variable.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { startByPolicy, type StartedByPolicy } from "../../queue/start/start_by_policy.ts";
import { templateRows } from "../../templates/repository.ts";
import { parseWith } from "../../base/parse.ts";
import { workflowRows } from "../../workflows/repository.ts";
import { startRunForm } from "../../workflows/run_schema.ts";
import { type RunByPolicy, startRunByPolicy } from "../../workflows/runs/start_by_policy.ts";
import { callVariables, startValues } from "./call_values.ts";
import { type Incoming, isAuthentic, matchesCall } from "./incoming.ts";
import type { Result } from "./schema.ts";
import { parseJsonObject } from "../../base/fields.ts";

/** Result of a call for one integration. */
export interface DeliveryOutcome {
  result: Result;
  reason: Sentence | null;
  /** The task or the run that it started; null for nothing. */
  started: { task_id?: number; run_id?: number } | null;
  /** Status of the answer if nothing was started. */
  status: number;
}

/**
 * Checks a call against an integration, and starts its task or run if everything matches. Never
 * throws. `isOwn` is true if the call used the integration's own address. An address of many
 * integrations does not say which one is meant, so it never starts one without matchers.
 */
export async function runIntegration(
  deps: Deps,
  integration: IntegrationRow,
  call: Incoming,
  isOwn: boolean,
): Promise<DeliveryOutcome> {
  const nothing = (result: Result, status: number, reason: Sentence): DeliveryOutcome => ({
    result,
    status,
    reason,
    started: null,
  });
  try {
    const { login, password } = await secretOf(deps, integration);
    if (!isAuthentic(integration, password, call, login)) {
      return nothing("unauthorized", 401, { key: "errors.webhooks.unauthorized" });
    }
    if (!isOwn && integration.matchers.length === 0) {
      return nothing("not_matched", 200, { key: "errors.webhooks.no_matchers" });
    }
    const failing = integration.matchers.find((matcher) => !matchesCall(call, matcher));
    if (failing) {
      const reason = { key: "errors.webhooks.not_matched", params: { name: failing.name } };
      return nothing("not_matched", 200, reason);
    }
    const outcome = await start(deps, integration, call);
    if ("skipped" in outcome) return nothing("skipped", 200, outcome.skipped);
    return { result: "started", status: 200, ...outcome };
  } catch (error) {
    const { status, ...reason } = explain(deps, integration, error);
    return nothing("failed", status, reason);
  }
}

/** Login and password of the integration's key; null if it has none, or none was typed in yet. */
async function secretOf(
  deps: Deps,
  { project_id, auth_method, auth_secret_id }: IntegrationRow,
): Promise<{ login: string; password: string | null }> {
  const none = { login: "", password: null };
  if (isOpen(auth_method) || auth_secret_id === null) return none;
  const key = await keyRows.find(deps.kv, project_id, auth_secret_id);
  if (!key) return none;
  const secret = await openSecret(deps.secrets, key.row);
  return secret.type === "login_password"
    ? { login: secret.login, password: reveal(secret.password, "compare") }
    : none;
}

type StartOutcome = Pick<DeliveryOutcome, "started" | "reason"> | { skipped: Sentence };

/**
 * Starts the template or the workflow with the values of the call. For a template, those are
 * answers to its survey, extra variables for other names, and fields of the task. A workflow has
 * its survey and a message. A call's values override those that the integration always sends.
 */
async function start(
  deps: Deps,
  integration: IntegrationRow,
  call: Incoming,
): Promise<StartOutcome> {
  const { id, name, project_id, template_id, workflow_id, task_params, values } = integration;
  const { survey_vars } = workflow_id
    ? await workflowRows.get(deps.kv, project_id, workflow_id)
    : await templateRows.get(deps.kv, project_id, template_id ?? 0);
  const secretNames = new Set(
    survey_vars.filter(({ type }) => type === "secret").map(({ name }) => name),
  );
  const variables = callVariables(call, values, survey_vars);
  const own = variables.find(([name]) => isOwnVariable(name));
  if (own) throw new AppError(400, "errors.own_variable", { name: own[0] });
  const split = (wanted: boolean) =>
    Object.fromEntries(variables.filter(([name]) => secretNames.has(name) === wanted));
  const input = {
    ...startValues(call, integration),
    environment: { ...ownVariables(task_params), ...split(false) },
    secret: split(true),
  };
  const actor = { kind: "integration", id, name, projectId: project_id } as const;
  const scope = await openProject({ deps, actor }, project_id, "run_tasks");
  const policy = integration.if_waiting;
  return workflow_id
    ? runOutcome(await startRunByPolicy(scope, workflow_id, parseWith(startRunForm, input), policy))
    : taskOutcome(await startByPolicy(scope, parseStart({ ...input, template_id }), policy));
}

const taskOutcome = (outcome: StartedByPolicy): StartOutcome =>
  "waits" in outcome
    ? { skipped: { key: "errors.task_waits", params: { id: outcome.waits } } }
    : { started: { task_id: outcome.task.id }, reason: replaced("deliveries.replaced", outcome) };

const runOutcome = (outcome: RunByPolicy): StartOutcome =>
  "open" in outcome
    ? { skipped: { key: "errors.run_open", params: { id: outcome.open } } }
    : { started: { run_id: outcome.run.id }, reason: replaced("deliveries.replaced_run", outcome) };

const replaced = (key: string, { replaced: id }: { replaced: number | null }): Sentence | null =>
  id === null ? null : { key, params: { id } };

function explain(
  { log }: Deps,
  { id: integration }: IntegrationRow,
  error: unknown,
): Sentence & { status: number } {
  if (error instanceof AppError) return { status: error.status, ...sentenceOf(error) };
  const id = crypto.randomUUID().slice(0, 8);
  log("error", "webhook_failed", { id, integration, ...describeError(error) });
  return { status: 500, key: "errors.internal", params: { id } };
}

/** The variables that the integration always sends. */
function ownVariables(params: IntegrationRow["task_params"]): Record<string, unknown> {
  const given = params?.environment;
  if (typeof given === "string") return parseJsonObject(given || "{}") ?? {};
  return { ...(given as Record<string, unknown> | null | undefined) };
}
