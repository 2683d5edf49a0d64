import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { IntegrationPage } from "@/components/integrations/IntegrationPage.tsx";
import { NewIntegration } from "@/components/integrations/NewIntegration.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/pages/shell.ts";
import { loadChoices, loadIntegration, requireOffered } from "@/routes/(_pages)/integrations.ts";
import { integrationPageForm, neededValues } from "@/routes/(_pages)/integrations_form.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";

/** The page of an integration, or the form of a new one. Without `form` it shows what is stored. */
async function integrationPage(
  { state, params, url }: { state: State; params: Record<string, string>; url: URL },
  form?: FormState,
) {
  const options = form && { status: 422 };
  if (params.integrationId === "new") {
    requirePermission(state.shell, "manage_resources");
    const choices = await loadChoices(state);
    return page({ choices, form: form ?? newForm(), integration: null }, options);
  }
  const found = await loadIntegration(state, pageId(params.integrationId), url.origin);
  return page({ ...found, form: form ?? newForm(found.integration) }, options);
}

export const handler = define.handlers({
  GET: (ctx) => integrationPage(ctx),

  async POST(ctx) {
    const { state, params } = ctx;
    const { shell: { project } } = state;
    requirePermission(state.shell, "manage_resources");
    const current = params.integrationId === "new"
      ? null
      : await integrationService.get(state.scope, pageId(params.integrationId));
    const values = neededValues(await readForm(ctx.req));
    const form = await saveForm(parseValues(values, integrationPageForm), async (value) => {
      await requireOffered(state, value);
      if (!current) {
        return await integrationService.create(
          await reopen(state.scope, "manage_resources"),
          value,
        );
      }
      // The form has no fields for these: buttons of their own switch two of them.
      const { id, searchable, keep_bodies, task_params } = current;
      const whole = { ...value, searchable, keep_bodies, task_params };
      await integrationService.update(await reopen(state.scope, "manage_resources"), id, whole);
      return { id, name: value.name };
    });
    if (!form.ok) return await integrationPage(ctx, form);
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
