import { NotLaunched, runsOf } from "./LastTasks.tsx";
import { Schedules } from "./Schedules.tsx";
import { runLabel, typeLabel } from "./TypeIcon.tsx";
import { TaskTable } from "@/components/tasks/TaskTable.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink, IconLink } from "@/components/ui/Button.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { paths } from "@/lib/base/paths.ts";
import { may, type Shell } from "@/lib/web/pages/shell.ts";
import type { Place } from "@/lib/kv/counted.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/tasks/status.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";

interface TemplatePageProps {
  ui: Ui;
  shell: Shell;
  template: TemplateView;
  names: TemplateNames;
  /** The view that one came from. */
  view?: ViewView;
  schedules: ScheduleView[];
  tasks: TaskView[];
  hasNext: boolean;
  isFirst: boolean;
  /** Where the tasks stand among all of the template. */
  place: Place;
  /** Where the page hears of tasks that change. */
  live: string;
}

/** Runs that the page shows at a time. */
export const TASKS_SHOWN = 20;

/** One template: what it runs, and its runs. */
export function TemplatePage(props: TemplatePageProps) {
  const { ui, shell, template, view, schedules, tasks, hasNext, isFirst, place, live } = props;
  const { project } = shell;
  const page = paths.template(project.id, template.id, view?.id);
  const mayRun = may(shell, "run_tasks");
  const mayChange = may(shell, "manage_resources");
  const crumbs = [{ id: null, title: ui.t("templates.title") }, ...(view ? [view] : [])]
    .map(({ id, title }) => ({ label: title, href: ui.href(paths.templates(project.id, id)) }));
  return (
    <>
      <Title ui={ui} parts={[template.name, ui.t("templates.title"), project.name]} />
      <PageHeader
        title={template.name}
        above={<Breadcrumb ui={ui} crumbs={crumbs} />}
        actions={<Actions {...props} />}
      />
      {template.description && <Alert class="mb-4">{template.description}</Alert>}
      <Facts {...props} />
      {(schedules.length > 0 || mayChange) && <Schedules {...props} mayChange={mayChange} />}
      <div class="part-head">
        <h2>{ui.t("templates.runs")}</h2>
        {mayRun && tasks.some(({ status }) => !isFinished(status)) && (
          <ButtonLink
            icon="stopped"
            href={`${ui.href(paths.template(project.id, template.id))}/stop`}
            over
          >
            {ui.t("templates.stop_all")}
          </ButtonLink>
        )}
      </div>
      <div id="runs" data-live={live}>
        <TaskTable
          {...{ ui, tasks, page, mayRun }}
          live={isFirst ? { id: runsOf(template.id), limit: TASKS_SHOWN } : undefined}
          empty={<NotLaunched ui={ui} />}
        />
      </div>
      <Pagination
        ui={ui}
        newest={isFirst ? undefined : ui.href(page)}
        older={hasNext ? ui.href(`${page}?before=${tasks.at(-1)!.id}`) : undefined}
        shown={{ ...place, rows: tasks.length }}
      />
    </>
  );
}

function Actions({ ui, shell, template }: TemplatePageProps) {
  const { project_id, id, name, type } = template;
  const path = ui.href(paths.template(project_id, id));
  return (
    <>
      {may(shell, "manage_resources") && (
        <>
          <IconLink
            icon="delete"
            label={ui.t("templates.delete", { name })}
            href={`${path}/delete`}
            over
          />
          <IconLink
            icon="copy"
            label={ui.t("templates.copy", { name })}
            href={`${ui.href(paths.editTemplate(project_id, "new"))}?from=${id}`}
            over
          />
          <IconLink
            icon="edit"
            label={ui.t("templates.edit", { name })}
            href={`${path}/edit`}
            over
          />
        </>
      )}
      {may(shell, "run_tasks") && (
        <ButtonLink kind="primary" icon="play" href={ui.href(paths.startTask(project_id, id))} over>
          {runLabel(ui, type)}
        </ButtonLink>
      )}
    </>
  );
}

function Facts({ ui, template, names }: TemplatePageProps) {
  const survey = template.survey_vars.map(({ title }) => title).join(", ");
  const facts: [label: string, value: string | null | undefined][] = [
    [ui.t("templates.playbook"), template.playbook],
    [ui.t("templates.type_label"), typeLabel(ui, template.type)],
    [ui.t("templates.inventory"), names.inventory.get(template.inventory_id ?? 0)],
    [ui.t("templates.environment"), names.environment.get(template.environment_id ?? 0)],
    [ui.t("templates.repository"), names.repository.get(template.repository_id)],
    [ui.t("templates.branch"), template.git_branch],
    [ui.t("templates.start_version"), template.start_version],
    [ui.t("templates.arguments"), template.arguments],
    [ui.t("survey.title"), survey],
  ];
  return (
    <dl class="task-facts mb-4">
      {facts.filter(([, value]) => value).map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
