import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import * as z from "zod";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { deleteProject } from "@/lib/maintenance/projects/deletion.ts";

/** The user confirms by typing the project's name. `force` stops running tasks. */
const deleteForm = (name: string) =>
  z.object({
    name: z.string().trim().refine((typed) => typed === name, "errors.projects.other_name"),
    force: z.boolean(),
  });

export const handler = define.handlers({
  GET(ctx) {
    requirePermission(ctx.state.shell, "update_project");
    return page({ form: restoredForm(ctx.state) ?? newForm() });
  },

  async POST(ctx) {
    const { shell } = ctx.state;
    requirePermission(shell, "update_project");
    const { name } = shell.project;
    const form = await submitForm(
      ctx.req,
      deleteForm(name),
      async ({ force }) =>
        deleteProject(await reopen(ctx.state.scope, "update_project"), { force }),
    );
    if (!form.ok) return page({ form }, { status: 422 });
    return seeOther(ctx, "/", "flash.project.deleted", { name });
  },
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
