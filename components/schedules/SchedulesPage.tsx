import { scheduleColumns } from "./schedule_columns.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { namedOptions } from "@/components/ui/forms/Choice.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { FilterSelect } from "@/components/ui/lists/FilterFields.tsx";
import { FilteredTable } from "@/components/ui/lists/FilteredTable.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { TableState } from "@/lib/base/lists/table_state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { may, type Shell } from "@/lib/web/shell.ts";

interface SchedulesPageProps {
  ui: Ui;
  shell: Shell;
  schedules: readonly ScheduleView[];
  state: TableState;
  templates: readonly { id: number; name: string }[];
  /** Words that the templates are searched for. */
  words: string;
  /** The template whose schedules are shown; null for all. */
  templateId: number | null;
  /** The latest task of each schedule, by the task's id. */
  tasks: Map<number, TaskView>;
  /** The latest run of each schedule of a workflow, by the run's id. */
  runs: Map<number, RunView>;
  hasWorkflows: boolean;
}

/** The schedules of a project, with the next and last run of each. */
export function SchedulesPage(props: SchedulesPageProps) {
  const { ui, shell, schedules, state, templates, templateId, tasks, runs } = props;
  const hasTargets = templates.length > 0 || props.hasWorkflows;
  const { id, name } = shell.project;
  const title = ui.t("sections.schedules");
  const mayChange = may(shell, "manage_triggers");
  const add = mayChange && (
    <ButtonLink
      kind="primary"
      icon="plus"
      href={ui.href(paths.schedule(id, "new", templateId))}
      over
    >
      {ui.t("schedules.new")}
    </ButtonLink>
  );
  const isFiltered = templateId !== null;
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} actions={hasTargets && add} />
      <FilteredTable
        ui={ui}
        id="schedules"
        path={ui.href(paths.schedules(id))}
        state={state}
        noMatch="schedules.no_match"
        filters={<TemplateChoice {...props} />}
        kept={{ template: templateId === null ? undefined : String(templateId) }}
        caption={title}
        rows={schedules}
        rowId={(schedule) => `schedule-${schedule.id}`}
        columns={scheduleColumns({ ui, mayChange, templateId, tasks, runs })}
        empty={
          <EmptyState
            icon="schedules"
            title={ui.t(isFiltered ? "schedules.none_of_template" : "schedules.none")}
          >
            <p class="m-0 mb-4">{ui.t("schedules.about")}</p>
            {!hasTargets && (
              <a href={ui.href(paths.section(id, "templates"))}>{ui.t("schedules.no_templates")}</a>
            )}
          </EmptyState>
        }
      />
    </>
  );
}

/** Filters schedules by template. */
const TemplateChoice = ({ ui, templates, templateId, words }: SchedulesPageProps) => (
  <FilterSelect
    ui={ui}
    name="template"
    label={ui.t("schedules.template")}
    all="lists.all"
    options={namedOptions(ui, templates)}
    chosen={templateId ?? undefined}
    words={words}
  />
);
