import { IntegrationPage } from "@/components/integrations/IntegrationPage.tsx";
import { NewIntegration } from "@/components/integrations/NewIntegration.tsx";
import { withPermission } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { createAlias } from "@/lib/triggers/aliases/service.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { chosenValue, targetChoices } from "@/lib/triggers/trigger_target.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMemberSaving } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import {
  loadChoices,
  loadParts,
  requireOffered,
} from "@/routes/(_pages)/integrations/integrations.ts";
import { integrationPageForm, neededValues } from "@/routes/(_pages)/integrations/form.ts";

export const handler = formPage({
  rights: asMemberSaving("manage_triggers"),
  async find(scope, { params: { integrationId } }) {
    if (integrationId !== "new") {
      return { integration: await integrationService.get(scope, pageId(integrationId)) };
    }
    withPermission(scope, "manage_triggers");
    return { integration: null };
  },
  // Separate buttons change the other members.
  shown({ integration }) {
    const { name, auth_method, auth_header, auth_secret_id, if_waiting } = integration ?? {};
    const template_id = integration && chosenValue(integration);
    return formOf(integration, {
      ...{ name, template_id, auth_method, auth_header, auth_secret_id, if_waiting },
    });
  },
  parse: (typed) => parseValues(neededValues(typed), integrationPageForm),
  async choices(_found, { state }, typed) {
    const { keys, ...targets } = await loadChoices(state, typed);
    return { template_id: targetChoices(targets), auth_secret_id: keys };
  },
  async save({ scope, value, found: { integration }, expected, ctx: { state, url } }) {
    await requireOffered(state, value);
    if (!integration) {
      const { id } = await integrationService.create(scope, value);
      await createAlias(scope, id, url.origin);
      return id;
    }
    // The form has no fields for these members. Separate buttons toggle two of them.
    const { id, searchable, keep_bodies, task_params } = integration;
    const whole = { ...value, searchable, keep_bodies, task_params };
    await integrationService.update(scope, id, whole, expected);
    return id;
  },
  next: ({ scope, value: { name }, found: { integration }, result }) => [
    paths.integration(scope.projectId, result),
    `flash.integrations.${integration ? "saved" : "created"}`,
    { name },
  ],
  async beside({ values }, { integration }, { state, url }) {
    const [choices, parts] = await Promise.all([
      loadChoices(state, values),
      integration && loadParts(state, integration.id, url.origin),
    ]);
    return { choices, parts };
  },
});

export default define.page<typeof handler>((
  { data: { integration, parts, ...form }, state: { ui, shell } },
) =>
  integration && parts
    ? <IntegrationPage ui={ui} shell={shell} integration={integration} {...parts} {...form} />
    : <NewIntegration ui={ui} shell={shell} {...form} />
);
