import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { scheduleName } from "../schedules/ScheduleCell.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { PlannedTime } from "../ui/Time.tsx";
import type { StepNames } from "./step_texts.ts";

interface TriggersProps {
  ui: Ui;
  shell: Shell;
  workflow: WorkflowView;
  schedules: ScheduleView[];
  integrations: { id: number; name: string }[];
  names: StepNames;
}

/** Schedules, integrations and builds that start a workflow, each with a link. */
export function Triggers(
  { ui, shell, workflow, schedules, integrations, names }: TriggersProps,
) {
  const { project_id: projectId, id, build_template_id: build } = workflow;
  const isStarted = schedules.length > 0 || integrations.length > 0 || build !== null;
  const mayChange = may(shell, "manage_triggers");
  if (!mayChange && !isStarted) return null;
  return (
    <section aria-labelledby="triggers-title">
      <div class="part-head">
        <h2 id="triggers-title">{ui.t("workflows.triggers")}</h2>
        {mayChange && (
          <ButtonLink
            icon="plus"
            href={`${ui.href(paths.schedule(projectId, "new"))}?workflow=${id}`}
            over
          >
            {ui.t("schedules.add")}
          </ButtonLink>
        )}
      </div>
      <Facts class="mb-4">
        {schedules.length > 0 && (
          <Fact label={ui.t("schedules.title")}>
            <ul class="m-0 p-0 list-none">
              {schedules.map((schedule) => (
                <li key={schedule.id}>
                  <ScheduleLink {...{ ui, schedule, mayChange }} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {integrations.length > 0 && (
          <Fact label={ui.t("sections.integrations")}>
            <ul class="m-0 p-0 list-none">
              {integrations.map(({ id, name }) => (
                <li key={id}>
                  <a href={ui.href(paths.integration(projectId, id))}>{name}</a>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {build !== null && (
          <Fact label={ui.t("workflows.after_builds")}>
            <a href={ui.href(paths.template(projectId, build))}>{names.templates.get(build)}</a>
          </Fact>
        )}
      </Facts>
    </section>
  );
}

interface ScheduleLinkProps {
  ui: Ui;
  schedule: ScheduleView;
  mayChange: boolean;
}

/** A schedule with its next time. People who can change it get its form. */
function ScheduleLink({ ui, schedule, mayChange }: ScheduleLinkProps) {
  const { project_id: projectId, id, next_runs: [next] } = schedule;
  const href = mayChange
    ? paths.schedule(projectId, id)
    : `${paths.schedules(projectId)}#schedule-${id}`;
  return (
    <>
      <a href={ui.href(href)} data-over={mayChange}>{scheduleName(ui, schedule)}</a>{" "}
      <span class="text-muted">
        {next ? <PlannedTime ui={ui} at={next} /> : ui.t("schedules.inactive")}
      </span>
    </>
  );
}
