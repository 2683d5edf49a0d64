import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { projectLabels } from "./ProjectFields.tsx";

interface DoorsProps {
  ui: Ui;
  form: FormState;
  /** Command that imports from Semaphore; null for people who cannot run it. */
  importCommand: string | null;
}

/** The ways to a first project: the demo, an own one, or one that exists elsewhere. */
export function Doors({ ui, form, importCommand }: DoorsProps) {
  const labels = { name: projectLabels(ui).name };
  const create = ui.href(paths.newProject());
  return (
    <>
      <PageHeader title={ui.t("projects.doors.title")} />
      <div class="doors">
        <Door ui={ui} name="demo">
          <form method="post" action={create} class="form">
            <div class="form-bar">
              <Button name="demo" value="true">{ui.t("projects.create_demo")}</Button>
            </div>
          </form>
        </Door>
        <Door ui={ui} name="own">
          <Form ui={ui} form={form} action={create} save={ui.t("actions.create")} labels={labels}>
            <Field ui={ui} form={form} name="name" label={labels.name} required />
          </Form>
        </Door>
        <Door ui={ui} name="bring">
          <div class="form">
            {importCommand && (
              <p class="m-0 text-muted">
                {ui.t("projects.doors.import")} <code>{importCommand}</code>
              </p>
            )}
            <div class="form-bar">
              <ButtonLink href={ui.href(paths.restoreProject())} over>
                {ui.t("projects.restore.title")}
              </ButtonLink>
            </div>
          </div>
        </Door>
      </div>
    </>
  );
}

interface DoorProps {
  ui: Ui;
  name: "demo" | "own" | "bring";
  children: ComponentChildren;
}

const Door = ({ ui, name, children }: DoorProps) => (
  <section class="card door" aria-labelledby={`door-${name}`}>
    <h2 id={`door-${name}`}>{ui.t(`projects.doors.${name}`)}</h2>
    <p>{ui.t(`projects.doors.${name}_about`)}</p>
    {children}
  </section>
);
