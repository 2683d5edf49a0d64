import { paths } from "../../lib/base/paths.ts";
import type { StartedTask } from "../../lib/tasks/initiators.ts";
import type { NextRun } from "../../lib/triggers/schedules/next_runs.ts";
import { EndReason } from "../tasks/EndReason.tsx";
import { againLabel } from "../tasks/TypeIcon.tsx";
import { Button, IconLink } from "../ui/Button.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";
import { outputOver, RunName } from "./HistoryTable.tsx";
import { OverviewPart, type PartProps } from "./OverviewPart.tsx";

/** Number of failed tasks shown. */
const FAILED = 5;

export function Failed(
  { tasks, since, ...props }: PartProps & { tasks: StartedTask[]; since: number },
) {
  const { ui, projectId, query, mayRun, now } = props;
  return (
    <OverviewPart
      {...props}
      name="failed"
      statuses={["error"]}
      count={tasks.length}
      shown={Math.min(tasks.length, FAILED)}
      action={
        <>
          <span class="overview-since">
            <Sentence
              ui={ui}
              of="overview.since"
              parts={{ time: <Time ui={ui} at={new Date(since).toISOString()} now={now} /> }}
            />
          </span>
          <form method="post" action={ui.href(paths.failuresSeen(projectId))} data-stay>
            <Button kind="quiet" icon="check">{ui.t("overview.seen")}</Button>
          </form>
        </>
      }
    >
      {tasks.slice(0, FAILED).map((task) => (
        <li id={`failed-${task.id}`}>
          <RunName ui={ui} task={task} query={query} />
          <span class="overview-facts">
            {task.end_reason && (
              <EndReason
                ui={ui}
                task={task}
                output={outputOver(query, task)}
                class="clamp text-danger"
              />
            )}
            <Time ui={ui} at={task.end} now={now} />
          </span>
          {mayRun && (
            <IconLink
              icon="rerun"
              label={ui.labelled(againLabel(ui, task.tpl_type), `#${task.id}`)}
              href={ui.href(paths.startTask(projectId, task.template_id, task.id))}
              over
            />
          )}
        </li>
      ))}
    </OverviewPart>
  );
}

/** Next runs of schedules. */
export function Coming({ runs, ...props }: PartProps & { runs: NextRun[] }) {
  const { ui, projectId, now } = props;
  return (
    <OverviewPart {...props} name="coming">
      {runs.map(({ schedule_id, name, template_id, template_name, at }) => (
        <li id={`coming-${schedule_id}`}>
          <span class="run-name">
            <a
              class="clamp font-semibold"
              href={ui.href(paths.template(projectId, template_id))}
              title={template_name}
            >
              {template_name}
            </a>
            {name && <span class="clamp text-muted" title={name}>{name}</span>}
          </span>
          <span class="overview-facts">
            <Time ui={ui} at={at} now={now} />
            <span class="overview-exact text-muted">{ui.minute(at)}</span>
          </span>
        </li>
      ))}
    </OverviewPart>
  );
}
