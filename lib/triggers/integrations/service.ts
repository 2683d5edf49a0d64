import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { requireUnattended } from "../../queue/inputs/personal.ts";
import { resourceService } from "../../resources/common/service.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import { wantedTargets } from "../trigger_target.ts";
import { requireMayTrigger } from "../seen_target.ts";
import { ruleService } from "./rules.ts";
import { getSeenIntegration } from "./seen.ts";
import {
  insertIntegration,
  integrationEvent,
  integrationRows,
  removeIntegration,
} from "./repository.ts";
import { extractValueForm, matcherForm } from "./rule_schemas.ts";
import type {
  IntegrationForm,
  IntegrationRow,
  IntegrationSwitch,
  IntegrationView,
} from "./schema.ts";

/** The matchers of an integration. A call must match all of them. */
export const matchers = ruleService("matchers", "matcher", matcherForm);
/** The values that an integration extracts from a call for its task. */
export const extractValues = ruleService("values", "value", extractValueForm);

/**
 * All integrations of a project. Only the page creates an address with a new one. Deleting one
 * deletes its matchers, values, addresses and log of calls. Nothing refers to an integration.
 */
const allIntegrations = resourceService<
  IntegrationRow,
  IntegrationView,
  IntegrationForm,
  "manage_triggers"
>(
  {
    rows: { ...integrationRows, insert: insertIntegration, remove: removeIntegration },
    event: integrationEvent,
    view: integrationView,
    // Matchers, values and addresses are changed by other calls.
    whole: integrationView,
    async fields({ deps, projectId }, form, stored) {
      const inventoryId = chosenInventory(form.task_params);
      const at = { inventoryId, field: "template_id" };
      await requireUnattended(deps.kv, projectId, form.template_id, at);
      return {
        matchers: [],
        values: [],
        aliases: [],
        ...stored,
        ...form,
        if_waiting: form.if_waiting ?? stored?.if_waiting ?? "all",
      };
    },
    targets({ auth_secret_id, task_params, ...target }) {
      const inventoryId = chosenInventory(task_params);
      return {
        ...wantedTargets(target),
        auth_secret_id: auth_secret_id === null ? null : ["keys", auth_secret_id],
        "task_params.inventory_id": inventoryId === null ? null : ["inventories", inventoryId],
      };
    },
  },
);

/** The same for those that the actor sees, and for targets that a rule lets them run. */
export const integrationService: typeof allIntegrations = {
  ...allIntegrations,
  async list(scope, sort) {
    const sight = await sightOf(scope);
    const all = await allIntegrations.list(scope, sort);
    return sight.isNarrowed ? all.filter((row) => sight.maySeeTarget(row)) : all;
  },
  async get(scope, id) {
    await getSeenIntegration(scope, id);
    return await allIntegrations.get(scope, id);
  },
  async create(scope, form) {
    await requireMayTrigger(scope, form);
    return await allIntegrations.create(scope, form);
  },
  async update(scope, id, form, expected) {
    await requireMayTrigger(scope, await getSeenIntegration(scope, id));
    await requireMayTrigger(scope, form);
    await allIntegrations.update(scope, id, form, expected);
  },
  async edit(scope, id, change, expected) {
    await requireMayTrigger(scope, await getSeenIntegration(scope, id));
    await allIntegrations.edit(scope, id, change, expected);
  },
  async delete(scope, id, expected) {
    await getSeenIntegration(scope, id);
    await allIntegrations.delete(scope, id, expected);
  },
  async references(scope, id) {
    await getSeenIntegration(scope, id);
    return await allIntegrations.references(scope, id);
  },
};

/** Sets one flag of an integration. Other members stay, even if someone changes them meanwhile. */
export const switchIntegration = (
  scope: ProjectScope<"manage_triggers">,
  id: number,
  name: IntegrationSwitch,
  isOn: boolean,
): Promise<void> => integrationService.edit(scope, id, (row) => ({ ...row, [name]: isOn }));

function integrationView(
  { matchers: _, values: __, aliases: ___, ...view }: IntegrationRow,
): IntegrationView {
  return {
    ...view,
    workflow_id: view.workflow_id,
    if_waiting: view.if_waiting,
  };
}
