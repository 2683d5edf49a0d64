import * as z from "zod";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { deleteProject } from "@/lib/maintenance/projects/deletion.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

/** The user confirms by typing the project's name. `force` stops running tasks. */
const deleteForm = (name: string) =>
  z.object({
    name: z.string().trim().refine((typed) => typed === name, "errors.projects.other_name"),
    force: z.boolean(),
  });

export const handler = formPage({
  rights: asMember("update_project"),
  find: ({ project: { name } }) => ({ name }),
  shown: () => newForm(),
  parse: (typed, { name }) => parseValues(typed, deleteForm(name)),
  save: ({ scope, value: { force } }) => deleteProject(scope, { force }),
  next: ({ found: { name } }) => ["/", "flash.project.deleted", { name }],
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui, shell } = state;
  const { id, name } = shell.project;
  const settings = ui.href(paths.section(id, "settings"));
  const labels = { name: ui.t("projects.delete.name"), force: ui.t("projects.delete.force") };
  const field = (field: keyof typeof labels) => ({
    ui,
    form: data.form,
    name: field,
    label: labels[field],
  });
  return (
    <>
      <Title ui={ui} parts={[ui.t("projects.delete.title"), name]} />
      <Confirm
        ui={ui}
        form={data.form}
        labels={labels}
        title={ui.t("projects.delete.title")}
        question={ui.t("projects.delete.question", { name })}
        action={`${settings}/delete`}
        cancel={settings}
        yes={ui.t("projects.delete.title")}
      >
        <Field {...field("name")} autocomplete="off" required autofocus hint={name} />
        <Checkbox {...field("force")} />
      </Confirm>
    </>
  );
});
