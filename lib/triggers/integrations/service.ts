import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import type { References } from "../../kv/references.ts";
import { readTargets, referencesTo } from "../../references/service.ts";
import { integrationEvent } from "./event.ts";
import { partService } from "./parts.ts";
import { insertIntegration, integrationRows, removeIntegration } from "./repository.ts";
import { extractValueForm, matcherForm } from "./schema.ts";
import type {
  IntegrationForm,
  IntegrationRow,
  IntegrationSwitch,
  IntegrationView,
} from "./schema.ts";

/** What an integration compares a call with: all must match. */
export const matchers = partService("matchers", "matcher", matcherForm);
/** What an integration takes from a call, for the task's variables. */
export const extractValues = partService("values", "value", extractValueForm);

/** The project's integrations. */
export async function listIntegrations(
  { deps, projectId }: ProjectScope,
): Promise<IntegrationView[]> {
  return (await integrationRows.list(deps.kv, projectId)).map(integrationView);
}

/** One integration. */
export async function getIntegration({ deps, projectId }: ProjectScope, id: number) {
  return integrationView(await integrationRows.get(deps.kv, projectId, id));
}

/** Makes an integration, without an address of its own yet. */
export async function createIntegration(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: IntegrationForm,
): Promise<IntegrationView> {
  const row: IntegrationRow = {
    ...form,
    id: await nextId(deps.kv, "integrations"),
    project_id: projectId,
    matchers: [],
    values: [],
    aliases: [],
  };
  await transact(deps.kv, async (op) => {
    await checkTargets(deps.kv, op, projectId, form);
    await insertIntegration(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...integrationEvent(row), action: "created" });
  });
  return integrationView(row);
}

/** Changes an integration: what the form leaves out is empty afterwards. */
export async function updateIntegration(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: IntegrationForm,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    await checkTargets(deps.kv, op, projectId, form);
    const row = await integrationRows.update(deps.kv, op, projectId, id, (row) => ({
      ...row,
      ...form,
    }));
    recordEvent(op, deps, actor, { ...integrationEvent(row), action: "updated" });
  });
}

/** Sets one switch of an integration: the rest stays, whoever changes it meanwhile. */
export async function switchIntegration(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  name: IntegrationSwitch,
  isOn: boolean,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await integrationRows.update(deps.kv, op, projectId, id, (row) => ({
      ...row,
      [name]: isOn,
    }));
    recordEvent(op, deps, actor, { ...integrationEvent(row), action: "updated" });
  });
}

/** Deletes an integration with its matchers, values, addresses and log of calls. */
export async function deleteIntegration(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
) {
  await transact(deps.kv, async (op) => {
    const row = await removeIntegration(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...integrationEvent(row), action: "deleted" });
  });
}

/** Nothing uses an integration, nor its parts: empty lists, for clients that ask before they delete. */
export const integrationReferences = (scope: ProjectScope, id: number): Promise<References> =>
  referencesTo(scope, ["integrations", id]);

async function checkTargets(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  { template_id, auth_secret_id, task_params }: IntegrationForm,
) {
  const inventoryId = Number(task_params?.inventory_id) || null;
  await readTargets(kv, op, projectId, {
    template_id: ["templates", template_id],
    auth_secret_id: auth_secret_id === null ? null : ["keys", auth_secret_id],
    "task_params.inventory_id": inventoryId === null ? null : ["inventories", inventoryId],
  });
}

function integrationView(row: IntegrationRow): IntegrationView {
  const { matchers: _, values: __, aliases: ___, ...view } = row;
  return view;
}
