import type { ComponentChildren } from "preact";
import type { FormState } from "../../lib/web/forms/form.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";
import { integrationCrumbs } from "./crumbs.ts";

interface RuleFormProps {
  ui: Ui;
  shell: Shell;
  integration: IntegrationView;
  list: "matchers" | "values";
  /** The item to change; null for a new one. */
  rule: { id: number; name: string } | null;
  form: FormState;
  labels: Record<string, string>;
  children: ComponentChildren;
}

/** The form of a matcher or extract value. It posts to its own address. */
export function RuleForm(
  { ui, shell, integration, list, rule, form, labels, children }: RuleFormProps,
) {
  const title = ui.t(rule ? `integration_rules.${list}.edit` : `integration_rules.${list}.new`);
  const crumbs = integrationCrumbs(ui, integration);
  const back = `${crumbs[1].href}#${list}`;
  return (
    <>
      <Title ui={ui} parts={[title, rule?.name, integration.name, shell.project.name]} />
      <Dialog
        ui={ui}
        id={`${list}-form`}
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={crumbs} />}
        close={back}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(
            paths.integrationRule(shell.project.id, integration.id, list, rule?.id ?? "new"),
          )}
          cancel={back}
          save={ui.t(rule ? "actions.save" : "actions.create")}
          labels={labels}
        >
          <div class="where-fields grid grid-cols-1 gap-4">{children}</div>
        </Form>
      </Dialog>
    </>
  );
}
