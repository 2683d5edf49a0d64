import {
  EnvironmentFields,
  environmentLabels,
} from "@/components/environments/EnvironmentFields.tsx";
import { asSecretChanges, atTheirRows } from "@/components/environments/secret_rows.ts";
import { afterChange, firstShown, withJson } from "@/components/environments/variable_rows.ts";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { shownSource } from "@/components/secret_storages/SourceFields.tsx";
import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { environmentChangeForm, environmentForm } from "@/lib/resources/environments/schema.ts";
import { environmentService } from "@/lib/resources/environments/service.ts";
import { withRows } from "@/lib/web/forms/rows.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "environments",
  param: "environmentId",
  service: environmentService,
  form: environmentForm,
  changeForm: environmentChangeForm,
  shown(environment) {
    const { name, json, env, secrets } = environment ?? { json: "{}", env: "{}" };
    return {
      name,
      json,
      env: env ?? "{}",
      shown_as: { json: firstShown(json), env: firstShown(env ?? "") },
      secrets: secrets?.map((secret) => ({ ...secret, source: shownSource(secret.source) })),
    };
  },
  beside: async (scope) => ({ storages: await secretStorageService.list(scope) }),
  redrawn: ({ add_secret = "", ...values }) =>
    add_secret === ""
      ? afterChange(values)
      : { values: withRows(values, "secrets", add_secret, "name") },
  tidied: (sent) => withJson(sent).values,
  read(typed) {
    const { values, kept } = asSecretChanges(typed);
    const { errors } = withJson(typed);
    return { values, errors, errorsAt: (errors) => atTheirRows(errors, kept) };
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceForm
    ui={ui}
    shell={shell}
    noun="environments"
    labels={environmentLabels(ui, data.form)}
    width="wide"
    {...data}
  >
    <EnvironmentFields
      ui={ui}
      form={data.form}
      storages={data.storages}
      empty={data.item?.secrets.filter(({ empty }) => empty)}
    />
  </ResourceForm>
));
