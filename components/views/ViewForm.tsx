import { ruleLabels, RuleSection } from "@/components/access/RuleSection.tsx";
import type { ListedPerson, ListedRole } from "@/components/ui/forms/CheckLists.tsx";
import { columnLabels } from "@/components/templates/TemplateFilter.tsx";
import { Checkbox, Select } from "@/components/ui/forms/Choice.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { FoldedSections } from "@/components/ui/forms/FoldedSection.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Shell } from "@/lib/web/shell.ts";

interface ViewFormProps {
  ui: Ui;
  shell: Shell;
  view: ViewView;
  form: FormState;
  /** Members of the project. */
  people: readonly ListedPerson[];
  roles: readonly ListedRole[];
}

/** The form of a view: its title, its templates, its tab, and the order of its list. */
export function ViewForm({ ui, shell, view, form, people, roles }: ViewFormProps) {
  const { id: projectId, name: projectName } = shell.project;
  const title = ui.t("views.edit_this");
  const list = ui.href(paths.views(projectId));
  const labels = {
    title: ui.t("views.title"),
    type: ui.t("views.type"),
    hidden: ui.t("views.hidden"),
    sort_column: ui.t("lists.sort"),
    sort_reverse: ui.t("views.sort_reverse"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const columns = Object.entries(columnLabels(ui)).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Title ui={ui} parts={[title, view.title, projectName]} />
      <Dialog
        ui={ui}
        id="view-form"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("views.edit"), href: list }]} />}
        close={list}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.editView(projectId, view.id))}
          cancel={list}
          save={ui.t("actions.save")}
          labels={{ ...labels, ...ruleLabels(ui) }}
        >
          <Field {...field("title")} required autofocus />
          <Select
            {...field("type")}
            blank={ui.t("views.chosen")}
            options={[{ value: "all", label: ui.t("templates.all") }]}
            hint={ui.t("views.type_hint")}
          />
          <Select {...field("sort_column")} options={columns} class="half" />
          <Checkbox {...field("sort_reverse")} class="half" />
          <Checkbox {...field("hidden")} hint={ui.t("views.hidden_hint")} />
          <FoldedSections>
            <RuleSection
              ui={ui}
              form={form}
              people={people}
              roles={roles}
              hint={ui.t("access.templates_hint")}
            />
          </FoldedSections>
        </Form>
      </Dialog>
    </>
  );
}
