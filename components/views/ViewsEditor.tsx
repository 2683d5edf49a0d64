import { Alert } from "@/components/ui/Alert.tsx";
import { Button, IconButton, IconLink } from "@/components/ui/Button.tsx";
import { StoredVersion } from "@/components/ui/forms/Conflict.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field, fieldAttributes } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Restored, ShownAgain } from "@/components/ui/forms/Restored.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Shell } from "@/lib/web/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";

interface ViewsEditorProps {
  ui: Ui;
  shell: Shell;
  views: ViewView[];
  /** The stored form of each view's row. */
  stored: Map<number, FormState>;
  /** The submitted values of one row, with their errors. */
  form: FormState;
}

/** Returns the name of the field with a view's title; "new" is the row that adds one. */
export const titleField = (id: number | "new" | "") => `title.${id}`;

/** The project's views in order. Each row is a form of its own, so no script is needed. */
export function ViewsEditor({ ui, shell, views, stored, form }: ViewsEditorProps) {
  const { id: projectId, name: projectName } = shell.project;
  const title = ui.t("views.edit");
  const action = ui.href(paths.views(projectId));
  const list = {
    label: ui.t("templates.title"),
    href: ui.href(paths.section(projectId, "templates")),
  };
  const rowForm = (id: number) =>
    form.values[titleField(id)] === undefined ? stored.get(id)! : form;
  return (
    <>
      <Title ui={ui} parts={[title, projectName]} />
      <Dialog
        ui={ui}
        id="views"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[list]} />}
        close={list.href}
      >
        <Restored ui={ui} form={form} />
        {form.conflict && <Later ui={ui} form={form} action={action} />}
        {views.length === 0 && <Alert title={ui.t("views.empty")}>{ui.t("views.about")}</Alert>}
        <ol class="views">
          {views.map((view, index) => (
            <li id={`view-${view.id}`}>
              <Rename ui={ui} form={rowForm(view.id)} view={view} action={action} />
              <div class="flex items-center">
                {view.hidden && <small class="text-muted">{ui.t("views.hidden")}</small>}
                <form method="post" action={action} data-stay>
                  <IconButton
                    icon="chevron_up"
                    label={ui.t("views.up", { title: view.title })}
                    name="up"
                    value={view.id}
                    disabled={index === 0}
                  />
                  <IconButton
                    icon="chevron_down"
                    label={ui.t("views.down", { title: view.title })}
                    name="down"
                    value={view.id}
                    disabled={index === views.length - 1}
                  />
                </form>
                <IconLink
                  icon="edit"
                  label={ui.t("views.edit_titled", { title: view.title })}
                  href={ui.href(paths.editView(projectId, view.id))}
                  over
                />
                <IconLink
                  icon="delete"
                  label={ui.t("views.delete", { title: view.title })}
                  href={ui.href(paths.deleteView(projectId, view.id))}
                  over
                />
              </div>
            </li>
          ))}
        </ol>
        <AddView ui={ui} form={form} action={action} />
      </Dialog>
    </>
  );
}

type AddViewProps = Pick<ViewsEditorProps, "ui" | "form"> & { action: string };

const AddView = ({ ui, form, action }: AddViewProps) => (
  <form method="post" action={action} id="add-view" class="grid gap-4" data-stay noValidate>
    <ShownAgain />
    <Field
      ui={ui}
      form={form}
      name={titleField("new")}
      label={ui.t("views.new")}
      required
    />
    <div class="form-buttons m-0">
      <Button kind="primary" icon="plus">{ui.t("views.add")}</Button>
    </div>
  </form>
);

/** A title that someone else has changed in the meantime. */
function Later({ ui, form, action }: AddViewProps) {
  const fields = Object.entries(form.values).filter(([name]) => name.startsWith(titleField("")));
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={action}
      save={ui.t("actions.save")}
      labels={{ title: ui.t("views.title") }}
    >
      {fields.map(([name, value], n) => <input key={n} type="hidden" name={name} value={value} />)}
    </Form>
  );
}

type RenameProps = Pick<ViewsEditorProps, "ui" | "form"> & { view: ViewView; action: string };

function Rename({ ui, form, view: { id, title }, action }: RenameProps) {
  const name = titleField(id);
  const field = fieldAttributes({ form, name });
  const error = form.errors[name];
  return (
    <form method="post" action={action} class="view-title" data-stay noValidate>
      <input
        {...field}
        value={form.values[name]}
        aria-label={ui.t("views.title_of", { title })}
        required
      />
      <StoredVersion form={form} />
      <ShownAgain />
      <IconButton icon="check" label={ui.t("views.rename", { title })} />
      {error && <p id={`${field.id}-error`} class="field-error">{ui.tell(error)}</p>}
    </form>
  );
}
