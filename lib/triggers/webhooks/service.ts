import { isSameSecret } from "../../access/same_secret.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { findAlias, integrationRows } from "../integrations/repository.ts";
import type { IntegrationRow } from "../integrations/schema.ts";
import type { Store } from "../../store/store.ts";
import { findProject, listProjectRows } from "../../model/projects.ts";
import { recordDelivery } from "./deliveries.ts";
import { readIncoming } from "./incoming.ts";
import { takeCall } from "../../store/limiters/bucket.ts";
import { type DeliveryOutcome, runIntegration } from "./run.ts";
import type { WebhookAnswer } from "./schema.ts";

/** A call to an address, its body not yet read. */
interface WebhookCall {
  alias: string;
  method: string;
  headers: Headers;
  address: string;
  readBody(): Promise<Uint8Array>;
}

/**
 * The answer to the caller. It lists the started tasks and runs, or holds the reason of the first
 * integration.
 */
interface WebhookOutcome {
  status: number;
  answer: WebhookAnswer;
}

/**
 * Runs the integrations that an address reaches. Each one checks the call separately and logs its
 * result. Throws 404 for an unknown address, 429 for too many calls, 413 for a body that is too
 * large.
 */
export async function receiveWebhook(
  deps: PublicDeps,
  call: WebhookCall,
): Promise<WebhookOutcome> {
  const { integrations, isOwn } = await integrationsAt(deps, call.alias);
  const waitSeconds = takeCall(deps.kv, call.alias, deps.clock.ticks());
  if (waitSeconds > 0) {
    const headers = { "Retry-After": String(waitSeconds) };
    throw new AppError(429, "errors.webhooks.rate_limit", { seconds: waitSeconds }, { headers });
  }
  const body = await readBody(deps, call, integrations);
  const incoming = readIncoming(call.headers, body);
  const outcomes: [IntegrationRow, DeliveryOutcome][] = [];
  for (const integration of integrations) {
    const outcome = await runIntegration(deps, integration, incoming, isOwn);
    await record(deps, call, integration, outcome, body);
    outcomes.push([integration, outcome]);
  }
  return conclude(outcomes);
}

/**
 * The integrations that the address reaches. `isOwn` is true for an integration's own address.
 * Throws 404 for an unknown address.
 */
async function integrationsAt(
  deps: Deps,
  alias: string,
): Promise<{ integrations: IntegrationRow[]; isOwn: boolean }> {
  const unknown = () => new AppError(404, "errors.webhooks.unknown_alias");
  const { kv } = deps;
  const target = await findAlias(kv, alias);
  if (!target) {
    const { globalAlias } = deps.config;
    if (globalAlias === null || !isSameSecret(alias, globalAlias)) throw unknown();
    return { integrations: await searchableEverywhere(kv), isOwn: false };
  }
  const { project_id: projectId, integration_id: id } = target;
  const project = await findProject(kv, projectId);
  if (!project || project.deleting) throw unknown();
  if (id === null) return { integrations: await searchable(kv, projectId), isOwn: false };
  const found = await integrationRows.find(kv, projectId, id);
  if (!found) throw unknown();
  return { integrations: [found.row], isOwn: true };
}

const searchable = async (kv: Store, projectId: number) =>
  (await integrationRows.list(kv, projectId)).filter((row) => row.searchable);

async function searchableEverywhere(kv: Store): Promise<IntegrationRow[]> {
  const found: IntegrationRow[] = [];
  for (const { id, deleting } of await listProjectRows(kv)) {
    if (!deleting) found.push(...await searchable(kv, id));
  }
  return found;
}

async function readBody(deps: Deps, call: WebhookCall, integrations: IntegrationRow[]) {
  try {
    return await call.readBody();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, key, params } = error;
    const outcome: DeliveryOutcome = {
      result: "failed",
      status,
      reason: { key, params },
      started: null,
    };
    for (const integration of integrations) {
      await record(deps, call, integration, outcome, new Uint8Array());
    }
    throw error;
  }
}

function record(
  deps: Deps,
  { method, address, headers }: WebhookCall,
  integration: IntegrationRow,
  { result, reason, started }: DeliveryOutcome,
  body: Uint8Array,
): Promise<void> {
  const user_agent = (headers.get("user-agent") ?? "").slice(0, 200);
  const delivery = { method, address, user_agent, body_bytes: body.length, result, reason };
  const { task_id = null, run_id = null } = started ?? {};
  const workflow_id = run_id === null ? null : integration.workflow_id;
  return recordDelivery(deps, integration, { ...delivery, task_id, workflow_id, run_id }, body);
}

/**
 * Builds the answer. A call that every integration refused, or that could not start any task, gets
 * an error.
 */
function conclude(outcomes: [IntegrationRow, DeliveryOutcome][]): WebhookOutcome {
  const answer: WebhookAnswer = { tasks: [], runs: [], results: [] };
  for (const [{ id: integration_id, project_id, ...target }, outcome] of outcomes) {
    const { result, reason } = outcome;
    const { template_id, workflow_id } = target;
    const { task_id = null, run_id = null } = outcome.started ?? {};
    if (task_id !== null && template_id !== null) {
      answer.tasks.push({ id: task_id, template_id, project_id, integration_id });
    }
    if (run_id !== null && workflow_id) {
      answer.runs.push({ id: run_id, workflow_id, project_id, integration_id });
    }
    answer.results.push({ integration_id, result, task_id, run_id, reason });
  }
  const all = outcomes.map(([, outcome]) => outcome);
  const failed = all.find(({ result }) => result === "failed");
  const refused = all.length > 0 && all.every(({ result }) => result === "unauthorized");
  const isStarted = answer.tasks.length > 0 || answer.runs.length > 0;
  const failure = isStarted ? null : failed ?? (refused ? all[0] : null);
  if (!failure) return { status: 200, answer };
  const { status, reason } = failure;
  return { status, answer: reason ? { error: reason, ...answer } : answer };
}
