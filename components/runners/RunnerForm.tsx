import type { FormState } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Segments } from "../ui/forms/Choice.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { RunnersCrumb, type RunnersPlace, RunnersTitle } from "./place.tsx";

/** A project that a runner of the server can be for. */
export interface ProjectChoice {
  id: number;
  name: string;
}

interface RunnerFormProps {
  ui: Ui;
  place: RunnersPlace;
  /** Null for a new runner. */
  runner: { id: number; name: string } | null;
  form: FormState;
  /** Null if the runner belongs to a project. */
  projects: ProjectChoice[] | null;
}

/** Labels of the fields in the order of the form. */
export const placementLabels = (ui: Ui) => ({
  name: ui.t("resources.name"),
  description: ui.t("runners.description"),
  labels: ui.t("runners.labels"),
  max_parallel_tasks: ui.t("runners.max_parallel_tasks"),
  which_projects: ui.t("runners.projects"),
  project_ids: ui.t("runners.projects"),
});

/** The form of a new runner or of a change. */
export function RunnerForm({ ui, place, runner, form, projects }: RunnerFormProps) {
  const { projectId } = place;
  const end = ui.href(
    runner ? paths.runner(projectId, runner.id) : paths.runners(projectId),
  );
  const title = ui.t(runner ? "runners.edit_title" : "runners.new");
  const labels = placementLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <RunnersTitle ui={ui} place={place} parts={[title, ...runner ? [runner.name] : []]} />
      <Dialog
        ui={ui}
        id="runner-form"
        title={title}
        width="medium"
        close={end}
        above={<RunnersCrumb ui={ui} place={place} />}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(
            runner ? paths.runner(projectId, runner.id, "/edit") : paths.runner(projectId, "new"),
          )}
          cancel={end}
          save={ui.t(runner ? "actions.save" : "actions.create")}
          labels={labels}
        >
          <Field {...field("name")} required autofocus />
          <Field {...field("description")} />
          <PlacementFields ui={ui} form={form} projects={projects} />
        </Form>
      </Dialog>
    </>
  );
}

/** The fields that runners and reusable tokens share. */
export function PlacementFields(
  { ui, form, projects }: Pick<RunnerFormProps, "ui" | "form" | "projects">,
) {
  const labels = placementLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <Field
        {...field("labels")}
        hint={ui.t("runners.labels_hint")}
        autocomplete="off"
        placeholder="dmz, eu-1"
      />
      <Field
        {...field("max_parallel_tasks")}
        hint={ui.t("runners.max_parallel_hint")}
        type="number"
        min={0}
        max={1000}
      />
      {projects && <ProjectFields ui={ui} form={form} projects={projects} />}
    </>
  );
}

/** All projects, or some of them. Style hides the list while all are chosen. */
function ProjectFields(
  { ui, form, projects }: { ui: Ui; form: FormState; projects: ProjectChoice[] },
) {
  const chosen = new Set(
    Object.entries(form.values).filter(([name]) => /^project_ids(\.|$)/.test(name))
      .map(([, id]) => id),
  );
  const error = form.errors.project_ids;
  return (
    <div class="runner-projects">
      <Segments
        ui={ui}
        form={form}
        name="which_projects"
        label={ui.t("runners.projects")}
        options={["all", "some"].map((value) => ({
          value,
          label: ui.t(value === "all" ? "runners.all_projects" : "runners.some_projects"),
        }))}
      />
      <fieldset class="field runner-project-list">
        <legend class="sr-only">{ui.t("runners.projects")}</legend>
        {projects.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              name="project_ids"
              value={id}
              checked={chosen.has(String(id))}
            />
            <span>{name}</span>
          </label>
        ))}
        {error && <p id="field-project_ids-error" class="field-error">{ui.tell(error)}</p>}
      </fieldset>
    </div>
  );
}
