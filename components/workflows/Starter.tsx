import type { RecordedPerson } from "@/lib/base/person.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { triggerName } from "@/components/tasks/trigger_name.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import { Name } from "../ui/lists/cells.tsx";

interface StarterProps {
  ui: Ui;
  run: Pick<RunView, "project_id" | "initiator" | "build" | keyof RecordedPerson>;
  /** Class of the link, such as one that cuts long names in tables. */
  class?: string;
}

/** Returns the name of the person or of the trigger that started a run; empty for neither. */
export const starterText = (
  ui: Ui,
  { initiator, ...person }: Pick<RunView, "initiator" | keyof RecordedPerson>,
): string =>
  initiator
    ? ui.t(`tasks.starter_of.${initiator.kind}`, {
      name: triggerName(ui, initiator.kind, initiator.name),
    })
    : ui.person(person);

/** The person who started a run, or the schedule, the integration or the build. */
export function Starter({ ui, run, class: more }: StarterProps) {
  if (!run.initiator) return <Name text={ui.person(run)} />;
  const text = starterText(ui, run);
  const href = hrefOf(run);
  return href ? <a class={more} title={text} href={ui.href(href)}>{text}</a> : <Name text={text} />;
}

/** Returns the place of the trigger in its list, which exists even if the trigger is deleted. */
function hrefOf({ project_id: projectId, initiator, build }: StarterProps["run"]): string | null {
  switch (initiator?.kind) {
    case "schedule":
      return `${paths.schedules(projectId)}#schedule-${initiator.id}`;
    case "integration":
      return `${paths.section(projectId, "integrations")}#integration-${initiator.id}`;
    case "autorun":
      return build && paths.task(projectId, build.template_id, build.task_id);
    default:
      return null;
  }
}
