import { RuleLine } from "@/components/access/RuleLine.tsx";
import type { ShownRules } from "@/lib/rights/shown_rule.ts";
import { isBlank } from "../../lib/base/fields.ts";
import { NotLaunched, runsOf } from "./LastTasks.tsx";
import { Schedules } from "./Schedules.tsx";
import { runLabel, typeLabel } from "@/components/tasks/TypeIcon.tsx";
import { RunsTrend } from "@/components/trends/RunsTrend.tsx";
import { TaskTable } from "@/components/tasks/TaskTable.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink, IconLink } from "@/components/ui/Button.tsx";
import { Fact, Facts } from "@/components/ui/Facts.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { NewestFirst } from "@/components/ui/lists/Pagination.tsx";
import { spacedLabels } from "@/lib/base/text/labels.ts";
import { paths } from "@/lib/base/paths.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { ListPosition } from "@/lib/store/counted.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";

interface TemplatePageProps {
  ui: Ui;
  shell: Shell;
  template: TemplateView;
  names: TemplateNames;
  /** The view that the user came from. */
  view?: ViewView;
  schedules: ScheduleView[];
  rules: ShownRules;
  tasks: TaskView[];
  /** The latest tasks, only on the first page. */
  last?: TaskView[];
  now: Date;
  hasNext: boolean;
  isFirst: boolean;
  /** Position of the tasks among all tasks of the template. */
  position: ListPosition;
  /** Address of the event stream with changed tasks. */
  live: string;
}

/** Number of tasks per page. */
export const TASKS_SHOWN = 20;

/** One template: its settings and its tasks. */
export function TemplatePage(props: TemplatePageProps) {
  const { ui, shell, template, view, schedules, rules, tasks, last, now } = props;
  const { hasNext, isFirst, position, live } = props;
  const { project } = shell;
  const page = paths.template(project.id, template.id, view?.id);
  const mayRun = may(shell, "run_tasks");
  const mayChange = may(shell, "manage_triggers");
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
      <TemplateFacts {...props} />
      <RuleLine
        ui={ui}
        projectId={project.id}
        rules={rules}
        who={`${paths.template(project.id, template.id)}/who`}
      />
      {(schedules.length > 0 || mayChange) && <Schedules {...props} mayChange={mayChange} />}
      <div class="part-head">
        <h2>{ui.t("templates.runs")}</h2>
        {tasks.length > 0 && may(shell, "read_output") && (
          <RunSearchLink ui={ui} template={template} />
        )}
        {may(shell, "stop_all_tasks") && tasks.some(({ status }) => !isFinished(status)) && (
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
        {last && <RunsTrend {...{ ui, now, page }} tasks={last} />}
        <TaskTable
          {...{ ui, tasks, page, mayRun }}
          live={isFirst ? { id: runsOf(template.id), limit: TASKS_SHOWN } : undefined}
          empty={<NotLaunched ui={ui} />}
        />
      </div>
      <NewestFirst {...{ ui, isFirst, hasNext, position }} path={ui.href(page)} rows={tasks} />
    </>
  );
}

function Actions({ ui, shell, template, rules }: TemplatePageProps) {
  const { project_id, id, name, type } = template;
  const path = ui.href(paths.template(project_id, id));
  return (
    <>
      {may(shell, "manage_resources") && (
        <>
          {rules.mayEdit && (
            <IconLink
              icon="delete"
              label={ui.t("templates.delete", { name })}
              href={`${path}/delete`}
              over
            />
          )}
          <IconLink
            icon="copy"
            label={ui.t("templates.copy", { name })}
            href={`${ui.href(paths.editTemplate(project_id, "new"))}?from=${id}`}
            over
          />
          {rules.mayEdit && (
            <IconLink
              icon="edit"
              label={ui.t("templates.edit", { name })}
              href={`${path}/edit`}
              over
            />
          )}
        </>
      )}
      <ButtonLink icon="drift" href={ui.href(paths.templateDrift(project_id, id))}>
        {ui.t("sections.drift")}
      </ButtonLink>
      {may(shell, "run_tasks") && rules.mayRun && (
        <ButtonLink kind="primary" icon="play" href={ui.href(paths.startTask(project_id, id))} over>
          {runLabel(ui, type)}
        </ButtonLink>
      )}
    </>
  );
}

interface RunSearchLinkProps {
  ui: Ui;
  template: { id: number; project_id: number };
}

/** Link to the search in the logs of a template's tasks. */
const RunSearchLink = ({ ui, template: { id, project_id } }: RunSearchLinkProps) => (
  <ButtonLink icon="search" href={ui.href(paths.searchRuns(project_id, id))}>
    {ui.t("run_search.way")}
  </ButtonLink>
);

interface TemplateFactsProps {
  ui: Ui;
  template: TemplateView;
  names: TemplateNames;
}

/** Settings of a template. */
function TemplateFacts({ ui, template, names }: TemplateFactsProps) {
  const survey = ui.list(template.survey_vars.map(({ title }) => title));
  const facts: [label: string, value: string | null | undefined][] = [
    [ui.t("templates.playbook"), template.playbook],
    [ui.t("templates.working_directory"), template.working_directory],
    [ui.t("templates.type_label"), typeLabel(ui, template.type)],
    [ui.t("templates.inventory"), names.inventory.get(template.inventory_id ?? 0)],
    [ui.t("templates.environment"), names.environment.get(template.environment_id ?? 0)],
    [ui.t("templates.repository"), names.repository.get(template.repository_id)],
    [ui.t("templates.branch"), template.git_branch],
    [ui.t("templates.start_version"), template.start_version],
    [ui.t("templates.arguments"), isBlank(template.arguments) ? null : template.arguments],
    [ui.t("placement.labels"), spacedLabels(template.runner_tag)],
    [ui.t("survey.title"), survey],
  ];
  return (
    <Facts class="mb-4">
      {facts.map(([label, value], n) => <Fact key={n} label={label}>{value}</Fact>)}
    </Facts>
  );
}
