import { EndReason } from "./EndReason.tsx";
import { OUTPUT, taskAddress } from "./task_address.ts";
import { RETRY_KEYS, RetryCommands, type RetrySetting } from "./RetryCommands.tsx";
import { Commands, DiffersLink } from "./TaskCommands.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { RunFact, RunHead } from "@/components/ui/RunHead.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Duration, Time } from "@/components/ui/Time.tsx";
import { taskPaths } from "@/lib/base/task_paths.ts";
import { ansibleVersion } from "@/lib/execution/run/ansible_version.ts";
import { requirementLabel } from "@/lib/execution/run/requirement_label.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished, STATUSES } from "@/lib/model/status.ts";

/** Something that a task uses, with the address of its page if the reader may open that. */
interface UsedThing {
  /** Empty if it was deleted. */
  text: string;
  href: string | null;
}

/** Facts of a task that do not change while it runs. */
export interface TaskSetting {
  /** The person or trigger that started it. */
  initiator: UsedThing;
  /** With the number of its hosts, such as "Production (3 hosts)", if that is known. */
  inventory: UsedThing;
  environment: UsedThing;
  repository: UsedThing;
  branch: string;
  limit: string;
  /** The kind of runner that it needs; empty if it needs none. */
  place: string;
  /** Addresses of its commit and of its playbook there; null if they are unknown. */
  web: { commit: string; file: string } | null;
  /** Whether there is a successful task to compare it with. */
  isComparable: boolean;
  /** Whether the reader may stop it. */
  mayStop: boolean;
  /** Link that starts the task again; null for people who cannot run tasks. */
  again: { text: string; href: string } | null;
  /** Ways to repeat it on hosts that failed; null for none. */
  retry: RetrySetting | null;
  /** The page that shows it, without sub-path. Commands return to it. */
  here: string;
}

interface TaskFactsProps {
  ui: Ui;
  task: TaskView;
  setting: TaskSetting;
  /** Stops the task if there is a script. Otherwise a form is sent. */
  onStop?(force: boolean): void;
}

/** Locale keys of the component, for islands. */
export const TASK_FACTS_KEYS = [
  ...STATUSES.map((status) => `tasks.status.${status}`),
  ...["started_by", "started", "duration", "details", "commit", "stop", "force_stop", "version"]
    .map((name) => `tasks.${name}`),
  ...["inventory", "requirements", "runner"].map((name) => `tasks.${name}`),
  ...["templates.playbook", "templates.branch", "start_task.override.limit"],
  ...["templates.environment", "templates.repository"],
  ...["compare.link", "compare.ansible", "keys.types.ssh", "own_keys.starters"],
  ...RETRY_KEYS,
  ...["preview.review", "preview.differs", "sections.drift"],
];

/** The head of a task: its status and settings, with the buttons that its status allows. */
export function TaskFacts({ ui, task, setting, onStop }: TaskFactsProps) {
  const { status, project_id: projectId, template_id: templateId } = task;
  const { here, again } = setting;
  const repeated = task.retry ? task.retry_of ?? undefined : undefined;
  const { isInOverlay, href } = taskAddress(ui, task, new URL(ui.href(here), "http://localhost"));
  return (
    <RunHead
      level={isInOverlay ? 2 : 1}
      id="task-title"
      title={
        <>
          <a href={ui.href(taskPaths.template(projectId, templateId))}>{visible(task.tpl_alias)}</a>
          {` #${task.id}`}
        </>
      }
      status={<StatusChip ui={ui} status={status} />}
      actions={isFinished(status)
        ? again && (
          <>
            {task.check && (
              <ButtonLink
                icon="drift"
                href={ui.href(taskPaths.templateDrift(projectId, templateId))}
              >
                {ui.t("sections.drift")}
              </ButtonLink>
            )}
            <RetryCommands ui={ui} task={task} retry={setting.retry} />
            <ButtonLink icon="rerun" href={again.href} over>{again.text}</ButtonLink>
          </>
        )
        : <Commands ui={ui} task={task} here={here} mayStop={setting.mayStop} onStop={onStop} />}
      message={visible(task.message)}
      reason={
        <>
          {(isFinished(status) || status === "stopping") && task.reason && (
            <Alert kind={status === "error" ? "danger" : "warning"} class="task-reason">
              <EndReason ui={ui} task={task} output={href(OUTPUT)} over={isInOverlay} />
            </Alert>
          )}
          <DiffersLink ui={ui} task={task} here={here} />
        </>
      }
      always={task.start && (
        <span class="run-head-fact" title={ui.t("tasks.started")}>
          <Time ui={ui} at={task.start} ticks />
        </span>
      )}
      details={ui.t("tasks.details")}
      links={isFinished(status) && (setting.isComparable || repeated) && (
        <a href={ui.href(taskPaths.compare(projectId, templateId, task.id, repeated))}>
          {ui.t("compare.link")}
        </a>
      )}
    >
      <Details ui={ui} task={task} setting={setting} />
    </RunHead>
  );
}

/** Facts of a task, folded on phones. */
function Details({ ui, task, setting }: Pick<TaskFactsProps, "ui" | "task" | "setting">) {
  const { start, end, version, build_task: build, commit_hash, runner_id: runner } = task;
  const { initiator, inventory, environment, repository, branch, limit, place, web } = setting;
  const used = ({ text, href }: UsedThing) => ({ href, title: text, children: visible(text) });
  const text = (value: string) => ({ title: value, children: visible(value) });
  return (
    <>
      <RunFact icon="waiting" label={ui.t("tasks.duration")}>
        {start && <Duration ui={ui} start={start} end={end} />}
      </RunFact>
      <RunFact icon="user" label={ui.t("tasks.started_by")} {...used(initiator)} />
      <RunFact icon="keys" label={ui.t("keys.types.ssh")}>
        {task.own_key && ui.t("own_keys.starters")}
      </RunFact>
      <RunFact
        icon="task"
        label={ui.t("templates.playbook")}
        href={web?.file}
        {...text(task.tpl_playbook)}
      />
      <RunFact icon="inventory" label={ui.t("tasks.inventory")} {...used(inventory)} />
      <RunFact icon="filter" label={ui.t("start_task.override.limit")} {...text(limit)} />
      <RunFact icon="environment" label={ui.t("templates.environment")} {...used(environment)} />
      <RunFact icon="repositories" label={ui.t("templates.repository")} {...used(repository)} />
      <RunFact icon="drift" label={ui.t("templates.branch")} {...text(branch)} />
      <RunFact
        icon="check"
        label={ui.t("tasks.commit")}
        href={web?.commit}
        title={visible(task.commit_message)}
      >
        {commit_hash && <code>{commit_hash.slice(0, 10)}</code>}
      </RunFact>
      <RunFact
        icon="play"
        label={ui.t("tasks.runner")}
        href={runner === null ? null : ui.href(taskPaths.runner(task.project_id, runner))}
        {...text(runner === null ? place : task.runner_name || `#${runner}`)}
      />
      <RunFact icon="toolchains" label={ui.t("tasks.requirements")}>
        {visible(ui.list(task.requirements.map(requirementLabel)))}
      </RunFact>
      <RunFact
        icon="build"
        label={ui.t("tasks.version")}
        href={build && ui.href(taskPaths.task(build.project_id, build.template_id, build.id))}
        {...text((build ? build.version ?? `#${build.id}` : version) ?? "")}
      />
      <RunFact label={ui.t("compare.ansible")}>
        {task.ansible_version !== null &&
          visible(`${ui.t("compare.ansible")} ${ansibleVersion(task.ansible_version)}`)}
      </RunFact>
    </>
  );
}
