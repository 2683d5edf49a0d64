import { Button } from "@/components/ui/Button.tsx";
import { Icon } from "@/components/ui/Icon.tsx";
import { Sentence } from "@/components/ui/Sentence.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { ComingTime } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RetryTask } from "@/lib/queue/again/retriable.ts";
import type { AttemptChain } from "@/lib/queue/ending/attempts_end.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskRetriesProps {
  ui: Ui;
  task: TaskView;
  /** The tasks that repeat it. */
  retries: RetryTask[];
  /** Its automatic attempts; null if it is never repeated automatically. */
  chain: AttemptChain | null;
  /** Whether the reader may cancel the next attempt. */
  mayStop: boolean;
  now: Date;
  /** Path of the page that shows it, without sub-path. */
  here: string;
}

/** The task that a task repeats, the tasks that repeat it, and its automatic attempts. */
export function TaskRetries(props: TaskRetriesProps) {
  const { ui, task, chain } = props;
  const { retry_of, retry } = task;
  const isAttempt = (id: number) => chain?.attempts.some((attempt) => attempt.id === id);
  const retries = props.retries.filter(({ id }) => !isAttempt(id));
  return (
    <div id="task-retries" class="task-retries">
      {chain && chain.attempts.length > 1 && <Attempts {...props} chain={chain} />}
      {chain && <NextAttempt {...props} chain={chain} />}
      {retry_of !== null && retry && (
        <p>
          <Icon name="rerun" class="text-muted" />{" "}
          <Sentence
            ui={ui}
            of="retry.repeats"
            params={{ count: retry.of, hosts: ui.number(retry.hosts) }}
            parts={{ task: <TaskNumber ui={ui} task={task} id={retry_of} /> }}
          />{" "}
          {retry.start_at_task !== null && (
            <>{ui.t("retry.started_at", { task: visible(retry.start_at_task) })}{" "}</>
          )}
        </p>
      )}
      {retries.length > 0 && (
        <p>
          <Icon name="rerun" class="text-muted" /> {ui.t("retry.repeated_by")}{" "}
          <TaskList ui={ui} task={task} tasks={retries} />
        </p>
      )}
    </div>
  );
}

type AttemptsProps = TaskRetriesProps & { chain: AttemptChain };

/** "Attempt 2 of 4", with a link to each attempt. */
const Attempts = ({ ui, task, chain: { attempts } }: AttemptsProps) => (
  <p>
    <Icon name="rerun" class="text-muted" />{" "}
    <strong>{ui.t("retry.attempt", { n: task.attempt ?? 1, of: task.attempts ?? 1 })}</strong>{" "}
    <TaskList ui={ui} task={task} tasks={attempts} />
  </p>
);

/** The time of the next attempt with a button that cancels it, or the reason why there is none. */
function NextAttempt({ ui, task, chain: { ended }, mayStop, now, here }: AttemptsProps) {
  const { next_retry } = task;
  if (ended) return <p class="text-muted">{ui.tell(ended)}</p>;
  if (next_retry === null) return null;
  return (
    <form
      method="post"
      action={`${ui.href(paths.taskPage(task.project_id, task.id))}/stop`}
      class="task-next-attempt"
      data-stay
    >
      <Icon name="waiting" class="text-muted" />{" "}
      <span>
        {ui.t("retry.next")} <ComingTime ui={ui} at={next_retry} now={now} />
      </span>{" "}
      <input type="hidden" name="back" value={here} />
      {mayStop && <Button kind="secondary" icon="stopped">{ui.t("retry.cancel")}</Button>}
    </form>
  );
}

interface TaskListProps {
  ui: Ui;
  /** The task whose page it is. */
  task: TaskView;
  tasks: readonly RetryTask[];
}

const TaskList = ({ ui, task, tasks }: TaskListProps) => (
  <>
    {tasks.map(({ id, status }) => (
      <span key={id} class="task-retry">
        <TaskNumber ui={ui} task={task} id={id} /> <StatusChip ui={ui} status={status} />
        {" "}
      </span>
    ))}
  </>
);

/** Number of a task, with a link unless it is the one that is shown. */
const TaskNumber = ({ ui, task, id }: Omit<TaskListProps, "tasks"> & { id: number }) =>
  id === task.id
    ? <span aria-current="true">{`#${id}`}</span>
    : <a href={ui.href(paths.taskPage(task.project_id, id))}>{`#${id}`}</a>;
