import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { IntegrationPage } from "@/components/integrations/IntegrationPage.tsx";
import { NewIntegration } from "@/components/integrations/NewIntegration.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { chosenValue, targetChoices } from "@/lib/triggers/trigger_target.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { loadChoices, loadParts, requireOffered } from "@/routes/(_pages)/integrations.ts";
import { integrationPageForm, neededValues } from "@/routes/(_pages)/integrations_form.ts";
import type { IntegrationView } from "@/lib/triggers/integrations/schema.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";

/**
 * Renders an integration's page, or the form of a new one. Without `form`, it shows the stored
 * values.
 */
async function integrationPage(
  { state, params, url }: { state: State; params: Record<string, string>; url: URL },
  form?: FormState,
  status = 200,
) {
  const options = { status };
  if (params.integrationId === "new") {
    requirePermission(state.shell, "manage_resources");
    const shown = form ?? newForm();
    const choices = await loadChoices(state, shown.values);
    return page({ choices, form: shown, integration: null }, options);
  }
  const integration = await integrationService.get(state.scope, pageId(params.integrationId));
  const shown = form ?? integrationForm(integration);
  const [choices, parts] = await Promise.all([
    loadChoices(state, shown.values),
    loadParts(state, integration.id, url.origin),
  ]);
  return page({ ...parts, integration, choices, form: shown }, options);
}

/** Returns the form of the stored integration. Separate buttons change the other members. */
function integrationForm(integration: IntegrationView | null): FormState {
  const { name, auth_method, auth_header, auth_secret_id, if_waiting } = integration ?? {};
  const template_id = integration && chosenValue(integration);
  return formOf(integration, {
    ...{ name, template_id, auth_method, auth_header, auth_secret_id, if_waiting },
  });
}

export const handler = define.handlers({
  GET: (ctx) => integrationPage(ctx, restoredForm(ctx.state)),

  async POST(ctx) {
    const { state, params } = ctx;
    const { shell: { project } } = state;
    requirePermission(state.shell, "manage_resources");
    const current = params.integrationId === "new"
      ? null
      : await integrationService.get(state.scope, pageId(params.integrationId));
    const typed = withChoices(await readForm(ctx.req), integrationForm(current));
    const sent = parseValues(neededValues(typed), integrationPageForm);
    const form = await saveForm(sent, async (value) => {
      await requireOffered(state, value);
      if (!current) {
        return await integrationService.create(
          await reopen(state.scope, "manage_resources"),
          value,
        );
      }
      // The form has no fields for these members. Separate buttons toggle two of them.
      const { id, searchable, keep_bodies, task_params } = current;
      const whole = { ...value, searchable, keep_bodies, task_params };
      const scope = await reopen(state.scope, "manage_resources");
      await integrationService.update(scope, id, whole, expectedOf(typed));
      return { id, name: value.name };
    });
    if (!form.ok) {
      const readNow = async () =>
        integrationForm(await integrationService.get(state.scope, current!.id));
      const { keys, ...targets } = await loadChoices(state, typed);
      const choices = { template_id: targetChoices(targets), auth_secret_id: keys };
      const refused = await refusedForm(typed, form.errors, readNow, choices);
      return await integrationPage(ctx, refused.form, refused.status);
    }
    const { id, name } = form.result;
    const done = current ? "flash.integrations.saved" : "flash.integrations.created";
    return seeOther(ctx, paths.integration(project.id, id), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) =>
  data.integration === null
    ? <NewIntegration ui={ui} shell={shell} {...data} />
    : <IntegrationPage ui={ui} shell={shell} {...data} />
);
