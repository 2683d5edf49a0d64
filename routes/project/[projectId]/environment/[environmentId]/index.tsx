import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import {
  EnvironmentFields,
  environmentLabels,
} from "@/components/environments/EnvironmentFields.tsx";
import {
  asSecretChanges,
  atTheirRows,
  withBlankSecret,
} from "@/components/environments/secret_rows.ts";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { environmentForm } from "@/lib/parts/environments/schema.ts";
import { environmentService } from "@/lib/parts/environments/service.ts";
import { LONG_FORM_BYTES_MAX, newForm, parseValues, readForm, saveForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { referencesTo } from "@/lib/references/service.ts";

/** The environment that is edited, with what uses it; null for a new one. */
async function readEnvironment(state: State, idText: string) {
  requirePermission(state.shell, "manage_resources");
  if (idText === "new") return null;
  const id = pageId(idText);
  const [environment, references] = await Promise.all([
    environmentService.get(state.scope, id),
    referencesTo(state.scope, ["environments", id]),
  ]);
  return { ...environment, references };
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const environment = await readEnvironment(state, params.environmentId);
    const { name, json, env, secrets } = environment ?? { json: "{}", env: "{}" };
    return page({ environment, form: newForm({ name, json, env: env ?? "{}", secrets }) });
  },

  async POST(ctx) {
    const { state, params } = ctx;
    const environment = await readEnvironment(state, params.environmentId);
    const { add_secret, ...values } = await readForm(ctx.req, LONG_FORM_BYTES_MAX);
    if (add_secret) {
      return page({ environment, form: { values: withBlankSecret(values), errors: {} } });
    }
    const changes = asSecretChanges(values);
    const { shell: { project } } = state;
    const form = await saveForm(parseValues(changes.values, environmentForm), async (value) => {
      if (environment) {
        await environmentService.update(
          await reopen(state.scope, "manage_resources"),
          environment.id,
          value,
        );
      } else await environmentService.create(await reopen(state.scope, "manage_resources"), value);
      return value;
    });
    if (!form.ok) {
      const errors = atTheirRows(form.errors, changes.kept);
      return page({ environment, form: { values, errors } }, { status: 422 });
    }
    const done = environment ? "flash.environments.saved" : "flash.environments.created";
    const { name } = form.result;
    return seeOther(ctx, paths.section(project.id, "environment"), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="environments"
    item={data.environment}
    form={data.form}
    labels={environmentLabels(ui)}
    width="wide"
    references={data.environment?.references}
  >
    <EnvironmentFields
      ui={ui}
      form={data.form}
      empty={data.environment?.secrets.filter(({ empty }) => empty)}
    />
  </ResourceForm>
));
