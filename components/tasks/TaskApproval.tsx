import {
  ApprovalMessage,
  AskedAgain,
  RuleFacts,
  VoteForm,
  Votes,
} from "@/components/approvals/Approval.tsx";
import { OUTPUT, taskAddress } from "./task_address.ts";
import { Alert } from "@/components/ui/Alert.tsx";
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
 * The approval that a task waits for, up to date: the approvers, the number of approvals, the time
 * limit, the votes and the buttons. Afterwards, the votes of a rule or with notes.
 */
export function TaskApproval(props: TaskApprovalProps) {
  const { ui, task, approval, here, follows } = props;
  const { id, project_id: projectId, status, approval: rule } = task;
  const isPart = rule !== null && approval !== null &&
    (status === "waiting_confirmation" || !isPlain(rule) || rule.asked_again !== "" ||
      approval.votes.some(({ note }) => note !== ""));
  const isFollowed = follows && approval !== null && !isFinished(status);
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
      {!isReview && Boolean(preview?.failed_hosts) && (
        <Alert kind="danger" class="mb-3">{ui.t("preview.failed_title")}</Alert>
      )}
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

/** A note with the buttons to approve and reject the task. */
function TaskVote({ ui, task, approval, here, isReview }: ApprovalProps) {
  const address = taskAddress(ui, task, new URL(ui.href(here), "http://localhost"));
  const back = isReview ? address.href(OUTPUT).slice(ui.href("").length) : here;
  const page = ui.href(paths.taskPage(task.project_id, task.id));
  const isBegun = (task.preview?.carried_out ?? 0) > 0;
  return (
    <VoteForm
      ui={ui}
      action={`${page}/${approval.mayApprove ? "confirm" : "reject"}`}
      above={
        <>
          <input type="hidden" name="back" value={back} />
          {isBegun && <p class="m-0">{ui.t("preview.reject_done")}</p>}
        </>
      }
    >
      {approval.mayApprove && <ApproveButton ui={ui} task={task} />}
      <Button kind="danger" icon="stopped" formAction={`${page}/reject`}>
        {ui.t("approvals.reject")}
      </Button>
    </VoteForm>
  );
}

/** The button that approves a task. After a preview that failed, it says so. */
function ApproveButton({ ui, task: { preview } }: Pick<TaskApprovalProps, "ui" | "task">) {
  if (!preview?.failed_hosts) {
    return <Button kind="primary" icon="check">{ui.t("approvals.approve")}</Button>;
  }
  return (
    <>
      <input type="hidden" name="in_spite_of_failures" value="true" />
      <Button kind="danger" icon="warning">{ui.t("preview.confirm_failed")}</Button>
    </>
  );
}
