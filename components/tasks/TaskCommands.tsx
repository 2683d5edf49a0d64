import { REVIEW, taskAddress } from "./task_address.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { taskPaths } from "@/lib/base/task_paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface CommandsProps {
  ui: Ui;
  task: TaskView;
  /** Address that shows the task, without sub-path. Commands return to it. */
  here: string;
  mayStop: boolean;
  /** Stops the task if there is a script. Otherwise a form is sent. */
  onStop?(force: boolean): void;
}

/** The buttons of a task that has not ended. */
export function Commands(props: CommandsProps) {
  const isAsking = props.task.status === "waiting_confirmation";
  return (
    <>
      {isAsking && !isReviewed(props) && <ReviewLink {...props} />}
      {props.mayStop && <Stop {...props} />}
    </>
  );
}

function Stop({ ui, task, here, onStop }: Omit<CommandsProps, "mayStop">) {
  const force = task.status === "stopping";
  const submit = (event: Event) => {
    event.preventDefault();
    onStop?.(force);
  };
  return (
    <form
      method="post"
      action={`${ui.href(taskPaths.taskPage(task.project_id, task.id))}/stop`}
      onSubmit={onStop && submit}
    >
      <input type="hidden" name="back" value={here} />
      {force && <input type="hidden" name="force" value="true" />}
      <Button kind="danger" icon="stopped">
        {ui.t(force ? "tasks.force_stop" : "tasks.stop")}
      </Button>
    </form>
  );
}

type ReviewLinkProps = Pick<CommandsProps, "ui" | "task" | "here">;

const addressAt = ({ ui, task, here }: ReviewLinkProps) =>
  taskAddress(ui, task, new URL(ui.href(here), "http://localhost"));

/** Returns a link with the review as its target, which gets the focus when the link disappears. */
function wayTo(props: ReviewLinkProps) {
  const address = addressAt(props);
  return {
    href: `${address.href(REVIEW)}#review`,
    "data-stay": address.isInOverlay ? true as const : "push" as const,
  };
}

/** Whether the review is shown. */
const isReviewed = (props: ReviewLinkProps): boolean => addressAt(props).tab === REVIEW;

/** Link to the differences between the outcome of a task and its preview. */
export function DiffersLink(props: ReviewLinkProps) {
  const { ui, task: { preview } } = props;
  const isSame = !preview?.unpredicted && !preview?.absent;
  if (isSame || isReviewed(props)) return null;
  return (
    <Alert kind="warning" class="task-reason">
      <a {...wayTo(props)}>{ui.t("preview.differs")}</a>
    </Alert>
  );
}

/** Link to the review, which is the primary action if there is a preview. */
function ReviewLink(props: ReviewLinkProps) {
  const { ui, task: { preview } } = props;
  const { href, "data-stay": stays } = wayTo(props);
  return (
    <ButtonLink kind={preview ? "primary" : "secondary"} icon="info" href={href} stays={stays}>
      {ui.t("preview.review")}
    </ButtonLink>
  );
}
