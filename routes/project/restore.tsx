import { Frame } from "@/components/shell/Frame.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field, fieldAttributes, FieldFrame } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Restored } from "@/components/projects/Restored.tsx";
import { requireCreator } from "@/lib/access/scope.ts";
import { parseJson, parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { freeName } from "@/lib/maintenance/backup/names.ts";
import { sentBackup } from "@/lib/maintenance/backup/schema.ts";
import { restoreProject } from "@/lib/maintenance/backup/service.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { always } from "@/lib/web/rights.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";

/** Maximum size in bytes of an uploaded backup; same as in the API. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

export const handler = formPage({
  rights: always((state) => requireCreator(userScope(state))),
  find: async (scope) => ({ projects: await listProjects(scope) }),
  shown: () => newForm(),
  bytesMax: FILE_BYTES_MAX,
  async save({ scope, typed: { file = "", name: typed = "", strict = "" } }) {
    const sent = parseWith(sentBackup, parseJson(file));
    const taken = new Set((await listProjects(scope)).map(({ name }) => name));
    const name = typed.trim() || freeName(sent.meta.name, taken);
    const named = { ...sent, meta: { ...sent.meta, name } };
    return await restoreProject(scope, named, { strict: strict !== "" });
  },
  // All fields of a backup are in one file, so the form as a whole shows their errors.
  errorsAt: (errors) =>
    Object.fromEntries(
      Object.entries(errors).slice(0, 1).map(([field, message]) => [
        "",
        field === "" ? message : { key: "errors.in_backup", params: { field, message } },
      ]),
    ),
  next({ result: { id, name, report } }) {
    const logins = report.secrets.filter(({ kind }) => kind === "repository");
    if (report.left_out.length + report.inactive_schedules.length + logins.length > 0) {
      return { form: newForm(), extra: { project: { id: id!, name }, report } };
    }
    const [section, done] = report.secrets.length > 0
      ? ["keys", "flash.project.restored_without_secrets"] as const
      : ["history", "flash.project.restored"] as const;
    return [paths.section(id!, section), done, { name }];
  },
  beside: (_form, _found, _ctx, done) => ({ done }),
});

export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { ui } = state;
  const title = ui.t("projects.restore.title");
  return (
    <Frame
      {...frameOf(state.deps, signedIn(state), { url, req })}
      ui={ui}
      shell={null}
      projects={data.projects}
    >
      <Title ui={ui} parts={[title]} />
      <Dialog
        ui={ui}
        id="restore-project"
        title={title}
        width={data.done ? "wide" : "small"}
        close={ui.href("/")}
      >
        {data.done
          ? <Restored ui={ui} {...data.done} />
          : <RestoreForm {...{ ui, form: data.form }} />}
      </Dialog>
    </Frame>
  );
});

function RestoreForm({ ui, form }: { ui: Ui; form: FormState }) {
  const field = { ui, form, name: "file", label: ui.t("projects.restore.file") };
  const hint = ui.t("projects.restore.hint");
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.restoreProject())}
      cancel={ui.href("/")}
      save={ui.t("projects.restore.save")}
      upload
    >
      <FieldFrame {...field} hint={hint} required>
        <input {...fieldAttributes({ ...field, hint })} type="file" required />
      </FieldFrame>
      <Field
        {...{ ui, form }}
        name="name"
        label={ui.t("projects.restore.name")}
        hint={ui.t("projects.restore.name_hint")}
      />
      <Checkbox {...{ ui, form }} name="strict" label={ui.t("projects.restore.strict")} />
    </Form>
  );
}
