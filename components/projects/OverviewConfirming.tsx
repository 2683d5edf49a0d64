import { roleLabel } from "@/lib/model/role_label.ts";
import { isPlain } from "../../lib/approvals/rule.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { QueueOverview } from "../../lib/queue/waiting/overview.ts";
import { OVER_TAB, OVER_TASK } from "../../lib/web/pages/overlay_address.ts";
import type { StartedTask } from "../../lib/tasks/initiators.ts";
import { StartedBy } from "../tasks/StartedBy.tsx";
import { REVIEW } from "../tasks/task_address.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { ComingTime, Time } from "../ui/Time.tsx";
import { RunName } from "./HistoryTable.tsx";
import { DecisionState, MoreTasks, type PartProps } from "./OverviewState.tsx";

export function Confirming(
  { items, count, isOnly, ...props }: PartProps & QueueOverview["confirming"] & { isOnly: boolean },
) {
  const { ui, projectId, query, mayApprove, now } = props;
  return (
    <DecisionState
      isOnly={isOnly}
      name="confirming"
      icon="waiting_confirmation"
      tone="warning"
      label={ui.t("overview.states.confirming", { count })}
    >
      <ul>
        {items.map(({ task }) => (
          <li id={`confirming-${task.id}`}>
            <RunName ui={ui} task={task} query={query} />
            <span class="overview-facts">
              <StartedBy ui={ui} task={task} /> <Time ui={ui} at={task.created} now={now} />
              <Prediction ui={ui} task={task} />
              {task.approval && <Progress ui={ui} approval={task.approval} now={now} />}
            </span>
            {mayApprove && (
              <span class="overview-actions">
                <ButtonLink href={reviewOver(task.id, query)} over>
                  {ui.t("preview.review")} <span class="sr-only">{`#${task.id}`}</span>
                </ButtonLink>
                {isConfirmedHere(task) && (
                  <>
                    {!task.preview && <Command {...{ ui, projectId, task }} what="approve" />}
                    <Command {...{ ui, projectId, task }} what="reject" />
                  </>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      <MoreTasks
        {...props}
        count={count - items.length}
        statuses={["waiting_confirmation"]}
      />
    </DecisionState>
  );
}

interface ProgressProps {
  ui: Ui;
  approval: NonNullable<StartedTask["approval"]>;
  now: Date;
}

/** The approvals so far, the roles that can approve, and the end of the time limit. */
const Progress = ({ ui, approval, now }: ProgressProps) => {
  const { approved: count, needed, roles, user_ids, until } = approval;
  const people = ui.list(roles.map((role) => roleLabel(ui, role)));
  return (
    <span>
      {ui.t("approvals.progress", { count, needed })}
      {(roles.length > 0 || user_ids.length === 0) &&
        ` · ${ui.labelled(ui.t("approvals.who"), people || ui.t("approvals.everyone"))}`}
      {until && (
        <>
          {` · ${ui.t("approvals.limit")} `}
          <ComingTime ui={ui} at={until} now={now} />
        </>
      )}
    </span>
  );
};

/** Changes that a task's preview predicts. */
function Prediction({ ui, task: { preview } }: { ui: Ui; task: StartedTask }) {
  if (!preview) return null;
  const { hosts, changed_hosts: count, failed_hosts = 0, carried_out = 0 } = preview;
  return (
    <span>
      {failed_hosts > 0
        ? ui.t("preview.failed_title")
        : ui.t("preview.would_change", { count, hosts })}
      {carried_out > 0 && ` ${ui.t("preview.ran", { count: carried_out })}`}
    </span>
  );
}

/** Whether everyone who may run tasks can confirm a task. The pages of others show who can. */
const isConfirmedHere = ({ approval }: StartedTask) => !approval || isPlain(approval);

/** Address of the current page with the confirmation of a task over it. */
function reviewOver(id: number, query: URLSearchParams): string {
  const over = new URLSearchParams(query);
  over.set(OVER_TASK, String(id));
  over.set(OVER_TAB, REVIEW);
  return `?${over}`;
}

interface CommandProps {
  ui: Ui;
  projectId: number;
  task: StartedTask;
  what: "approve" | "reject";
}

function Command({ ui, projectId, task, what }: CommandProps) {
  const page = ui.href(paths.taskPage(projectId, task.id));
  const isApproved = what === "approve";
  return (
    <form method="post" action={`${page}/${isApproved ? "confirm" : "reject"}`} data-stay>
      <input type="hidden" name="back" value={paths.section(projectId, "history")} />
      <Button kind={isApproved ? "primary" : "secondary"} icon={isApproved ? "check" : "stopped"}>
        {ui.t(`approvals.${what}`)} <span class="sr-only">{`#${task.id}`}</span>
      </Button>
    </form>
  );
}
