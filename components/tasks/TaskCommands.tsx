import type { ComponentChildren } from "preact";
import { REVIEW, taskAddress } from "./task_address.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

export interface TaskCommand {
  name: "confirm" | "reject" | "stop";
  force: boolean;
}

interface CommandsProps {
  ui: Ui;
  task: TaskView;
  /** Address that shows the task, without sub-path. Commands return to it. */
  here: string;
  /** Whether a task that waits for a confirmation gets its buttons here. */
  isConfirmedHere: boolean;
  /** Carries out a command if there is a script. Otherwise its form is sent. */
  onCommand?(command: TaskCommand): void;
}

/** The buttons of a task that has not ended. */
export function Commands(props: CommandsProps) {
  const { task: { status }, isConfirmedHere } = props;
  if (status !== "waiting_confirmation") return <Stop {...props} />;
  if (isConfirmedHere) return <Answers {...props} />;
  return (
    <>
      {!isReviewed(props) && <ReviewLink {...props} />}
      <Stop {...props} />
    </>
  );
}

function Stop(props: CommandsProps) {
  const { ui, task: { status } } = props;
  const force = status === "stopping";
  return (
    <Command {...props} command={{ name: "stop", force }}>
      <Button kind="danger" icon="stopped">
        {ui.t(force ? "tasks.force_stop" : "tasks.stop")}
      </Button>
    </Command>
  );
}

/**
 * Answers to a task that waits for confirmation. With a preview, confirming is possible only on its
 * page.
 */
function Answers(props: CommandsProps) {
  const { ui, task } = props;
  // The review has these buttons itself.
  if (isReviewed(props)) return null;
  return (
    <>
      <p class="task-question">
        {ui.t(task.preview?.failed_hosts ? "preview.failed_title" : "tasks.confirm_question")}
      </p>
      <ReviewLink {...props} />
      {!task.preview && (
        <Command {...props} command={{ name: "confirm", force: false }}>
          <Button kind="primary" icon="check">{ui.t("tasks.confirm")}</Button>
        </Command>
      )}
      <Command {...props} command={{ name: "reject", force: false }}>
        <Button kind="danger" icon="stopped">{ui.t("preview.reject")}</Button>
      </Command>
    </>
  );
}

/** A form with one button. */
function Command(
  { ui, task, here, onCommand, command, children }: CommandsProps & {
    command: TaskCommand;
    children: ComponentChildren;
  },
) {
  const submit = (event: Event) => {
    event.preventDefault();
    onCommand?.(command);
  };
  return (
    <form
      method="post"
      action={`${ui.href(paths.taskPage(task.project_id, task.id))}/${command.name}`}
      onSubmit={onCommand && submit}
    >
      <input type="hidden" name="back" value={here} />
      {command.force && <input type="hidden" name="force" value="true" />}
      {children}
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
    <Alert kind="warning" class="mb-3">
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
