import { requireCreator } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { Frame } from "@/components/shell/Frame.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field, fieldAttributes, FieldFrame } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Restored } from "@/components/projects/Restored.tsx";
import { type RestoreReport, sentBackup } from "@/lib/maintenance/backup/schema.ts";
import { restoreProject } from "@/lib/maintenance/backup/service.ts";
import { define, signedIn, type State, userScope } from "@/lib/web/state.ts";
import { parseJson, parseWith } from "@/lib/base/parse.ts";
import { type FormState, newForm, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { freeName, NAME_LENGTH_MAX } from "@/lib/maintenance/backup/names.ts";

/** Maximum size in bytes of an uploaded backup; same as in the API. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

interface Done {
  project: { id: number; name: string };
  report: RestoreReport;
}

/** Returns the scope of a user who may restore. Throws if they may not. */
const restorer = (state: State) => requireCreator(userScope(state));

async function formPage(state: State, form: FormState, status = 200, done?: Done) {
  const projects = await listProjects(restorer(state));
  return page({ form, projects, done }, { status });
}

export const handler = define.handlers({
  GET: ({ state }) => formPage(state, restoredForm(state) ?? newForm()),

  async POST(ctx) {
    const { state } = ctx;
    // Checked before the body is read, because a backup is the largest possible upload.
    const scope = restorer(state);
    const { file = "", name: typed = "", strict = "" } = await readForm(ctx.req, FILE_BYTES_MAX);
    const sent = { ok: true as const, value: file, values: {}, errors: {} };
    const form = await saveForm(
      sent,
      async (text) => {
        const sent = parseWith(sentBackup, parseJson(text));
        const taken = new Set((await listProjects(scope)).map(({ name }) => name));
        const name = typed.trim() || freeName(sent.meta.name, taken);
        const named = { ...sent, meta: { ...sent.meta, name } };
        return await restoreProject(scope, named, { strict: strict !== "" });
      },
    );
    if (!form.ok) {
      // All fields of a backup are in one file, so the form as a whole shows their errors.
      const [[field, problem]] = Object.entries(form.errors);
      const message = field === "" ? problem : {
        key: "errors.in_backup",
        params: { field, message: problem },
      };
      return await formPage(
        state,
        { values: { name: typed, strict }, errors: { "": message } },
        422,
      );
    }
    const { id, name, report } = form.result;
    const logins = report.secrets.filter(({ kind }) => kind === "repository");
    if (report.left_out.length + report.inactive_schedules.length + logins.length > 0) {
      return await formPage(state, newForm(), 200, { project: { id: id!, name }, report });
    }
    const [section, done] = report.secrets.length > 0
      ? ["keys", "flash.project.restored_without_secrets"] as const
      : ["history", "flash.project.restored"] as const;
    return seeOther(ctx, paths.section(id!, section), done, { name });
  },
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
        maxLength={NAME_LENGTH_MAX}
      />
      <Checkbox {...{ ui, form }} name="strict" label={ui.t("projects.restore.strict")} />
    </Form>
  );
}
