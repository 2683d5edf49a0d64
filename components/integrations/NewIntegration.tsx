import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";
import { listCrumb } from "./crumbs.ts";
import {
  type IntegrationChoices,
  IntegrationFields,
  integrationLabels,
} from "./IntegrationFields.tsx";

interface NewIntegrationProps {
  ui: Ui;
  shell: Shell;
  form: FormState;
  choices: IntegrationChoices;
}

export function NewIntegration({ ui, shell, form, choices }: NewIntegrationProps) {
  const { id: projectId, name } = shell.project;
  const title = ui.t("integrations.new");
  const list = listCrumb(ui, projectId);
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <Dialog
        ui={ui}
        id="integration-form"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[list]} />}
        close={list.href}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.integration(projectId, "new"))}
          cancel={list.href}
          save={ui.t("actions.create")}
          labels={integrationLabels(ui, choices)}
        >
          <IntegrationFields ui={ui} projectId={projectId} form={form} choices={choices} isNew />
        </Form>
      </Dialog>
    </>
  );
}
