import {
  ApprovalMessage,
  AskedAgain,
  RuleFacts,
  VoteForm,
  Votes,
} from "@/components/approvals/Approval.tsx";
import { ConfirmButton } from "./ConfirmButton.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { isPlain } from "@/lib/approvals/rule.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskApprovalStatus } from "@/lib/queue/approvals/approvals.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";

type Rule = NonNullable<TaskView["approval"]>;

interface TaskApprovalProps {
  ui: Ui;
  task: Pick<TaskView, "id" | "project_id" | "status" | "preview" | "approval">;
  /** Null for a task that no one confirms. */
  approval: TaskApprovalStatus | null;
  now: Date;
  /** Address of the page, without sub-path. Votes return to it. */
  here: string;
  /** Whether the preview is shown beside it. Only there can it be confirmed. */
  isReview?: boolean;
  /** Whether to follow the votes. Otherwise the part around it does. */
  follows?: boolean;
}

/**
 * The rule of a task's confirmation and the votes so far, up to date. Empty for a task that
 * everyone who may run tasks may confirm.
 */
export function TaskApproval(props: TaskApprovalProps) {
  const { ui, task, approval, here, follows } = props;
  const { id, project_id: projectId, status, approval: rule } = task;
  const isPart = rule !== null && approval !== null &&
    (!isPlain(rule) || rule.asked_again !== "" || approval.votes.some(({ note }) => note !== ""));
  const isFollowed = follows && isPart && !isFinished(status);
  const address = `${ui.href(paths.taskApproval(projectId, id))}?here=${encodeURIComponent(here)}`;
  return (
    <div id="task-approval" tabIndex={-1} data-live={isFollowed ? address : undefined}>
      {isPart && <Approval {...props} rule={rule} approval={approval} />}
    </div>
  );
}

interface ApprovalProps extends TaskApprovalProps {
  rule: Rule;
  approval: TaskApprovalStatus;
}

function Approval(props: ApprovalProps) {
  const { ui, task: { status, preview }, rule, approval, now, isReview } = props;
  const { needed, approved: count } = rule;
  const title = ui.t("approvals.progress", { count, needed });
  if (status !== "waiting_confirmation") {
    return (
      <details id="task-approval-list" class="task-outputs reveal">
        <summary>
          <strong>{title}</strong>
        </summary>
        <div class="approval">
          <Facts {...props} />
          <Votes ui={ui} votes={approval.votes} now={now} />
        </div>
      </details>
    );
  }
  const { refusal } = approval;
  return (
    <section class="card approval" aria-labelledby="task-approval-title">
      <h2 id="task-approval-title">{title}</h2>
      <AskedAgain ui={ui} reason={rule.asked_again} />
      <ApprovalMessage text={rule.message} />
      <Facts {...props} />
      <Votes ui={ui} votes={approval.votes} now={now} />
      {refusal !== null && <p class="m-0">{ui.t(refusal)}</p>}
      {refusal === null && (!preview || isReview) && <TaskVote {...props} />}
    </section>
  );
}

const Facts = ({ ui, task: { status }, rule, approval: { people }, now }: ApprovalProps) => (
  <RuleFacts
    {...{ ui, rule, people, now }}
    of="task"
    until={status === "waiting_confirmation" ? rule.until : null}
  />
);

/** A note with the buttons to confirm and reject the task. */
function TaskVote({ ui, task, here }: ApprovalProps) {
  const page = ui.href(paths.taskPage(task.project_id, task.id));
  const isBegun = (task.preview?.carried_out ?? 0) > 0;
  return (
    <VoteForm
      ui={ui}
      action={`${page}/confirm`}
      above={
        <>
          <input type="hidden" name="back" value={here} />
          {isBegun && <p class="m-0">{ui.t("preview.reject_done")}</p>}
        </>
      }
    >
      <ConfirmButton ui={ui} task={task} />
      <Button kind="danger" icon="stopped" formAction={`${page}/reject`}>
        {ui.t("preview.reject")}
      </Button>
    </VoteForm>
  );
}
