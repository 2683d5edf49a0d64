import type { ComponentChildren } from "preact";
import { EndReason } from "./EndReason.tsx";
import { OUTPUT, taskAddress } from "./task_address.ts";
import { RunnerLink } from "./RunnerLink.tsx";
import { RETRY_KEYS, RetryCommands, type RetrySetting } from "./RetryCommands.tsx";
import { Commands, DiffersLink, type TaskCommand } from "./TaskCommands.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Icon } from "@/components/ui/Icon.tsx";
import { Duration, Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import { requirementLabel } from "@/lib/execution/run/requirement_label.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished, STATUSES } from "@/lib/model/status.ts";

/** Facts of a task that do not change while it runs. */
export interface TaskSetting {
  /** The person or trigger that started it. */
  initiator: string;
  /** Name of its inventory; empty if it was deleted. */
  inventory: string;
  /** Number of the inventory's hosts, such as "3 hosts"; empty if unknown. */
  hosts: string;
  branch: string;
  limit: string;
  /** The kind of runner that it needs; empty if it needs none. */
  place: string;
  /** Whether there is a successful task to compare it with. */
  isComparable: boolean;
  /** Link that starts the task again; null for people who cannot run tasks. */
  again: { text: string; href: string } | null;
  /** Ways to repeat it on hosts that failed; null for none, unknown before its end. */
  retry: RetrySetting | "unknown" | null;
  /** Whether its header has the buttons to confirm and reject it. */
  isConfirmedHere: boolean;
  /** The page that shows it, without sub-path. Commands return to it. */
  here: string;
}

interface TaskFactsProps {
  ui: Ui;
  task: TaskView;
  setting: TaskSetting;
  /** Carries out a command if there is a script. Otherwise its form is sent. */
  onCommand?(command: TaskCommand): void;
}

/** Locale keys of the component, for islands. */
export const TASK_FACTS_KEYS = [
  ...STATUSES.map((status) => `tasks.status.${status}`),
  ...["started_by", "started", "duration", "details", "commit", "stop", "force_stop", "confirm"]
    .map((name) => `tasks.${name}`),
  ...["confirm_question", "version", "inventory", "requirements"].map((name) => `tasks.${name}`),
  ...["templates.playbook", "templates.branch", "start_task.override.limit"],
  ...[
    "compare.link",
    "compare.ansible",
    "placement.runs_on",
    "keys.types.ssh",
    "own_keys.starters",
  ],
  ...RETRY_KEYS,
  ...[
    "preview.review",
    "preview.reject",
    "preview.failed_title",
    "preview.differs",
  ],
];

/** Status and settings of a task, with the buttons that its status allows. */
export function TaskFacts({ ui, task, setting, onCommand }: TaskFactsProps) {
  const { status } = task;
  return (
    <>
      <Reason ui={ui} task={task} here={setting.here} />
      <DiffersLink ui={ui} task={task} here={setting.here} />
      <div class="task-state">
        <div class="task-facts">
          <span role="status">
            <StatusChip ui={ui} status={status} />
          </span>{" "}
          {task.start && (
            <span class="task-fact">
              <span>{ui.t("tasks.started")}</span> <Time ui={ui} at={task.start} ticks />
            </span>
          )}{" "}
          <details class="task-more">
            <summary class="icon-button" title={ui.t("tasks.details")}>
              <Icon name="info" />
              <span class="sr-only">{ui.t("tasks.details")}</span>
            </summary>
            <Details ui={ui} task={task} setting={setting} />
          </details>
        </div>
        {setting.again && (
          <div class="task-commands">
            {isFinished(status)
              ? (
                <>
                  <RetryCommands ui={ui} task={task} retry={setting.retry} />
                  <ButtonLink icon="rerun" href={setting.again.href} over>
                    {setting.again.text}
                  </ButtonLink>
                </>
              )
              : <Commands ui={ui} task={task} {...setting} onCommand={onCommand} />}
          </div>
        )}
      </div>
    </>
  );
}

/** The reason for the task's end, which leads to the line that reports it. */
function Reason({ ui, task, here }: { ui: Ui; task: TaskView; here: string }) {
  if (!task.reason) return null;
  const address = taskAddress(ui, task, new URL(ui.href(here), "http://localhost"));
  return (
    <Alert kind={task.status === "error" ? "danger" : "warning"} class="task-reason">
      <EndReason ui={ui} task={task} output={address.href(OUTPUT)} over={address.isInOverlay} />
    </Alert>
  );
}

/** Facts of a task, folded on phones. */
function Details({ ui, task, setting }: Pick<TaskFactsProps, "ui" | "task" | "setting">) {
  const { status, start, end, version, build_task, commit_hash } = task;
  const brought = build_task ? build_task.version ?? `#${build_task.id}` : version;
  const { inventory, hosts, branch, limit, place } = setting;
  return (
    <>
      <dl>
        <Fact label={ui.t("tasks.started_by")}>{visible(setting.initiator)}</Fact>
        <Fact label={ui.t("keys.types.ssh")}>{task.own_key && ui.t("own_keys.starters")}</Fact>
        <Fact label={ui.t("tasks.duration")}>
          {start && <Duration ui={ui} start={start} end={end} />}
        </Fact>
        <Fact label={ui.t("templates.playbook")}>{visible(task.tpl_playbook)}</Fact>
        <Fact label={ui.t("tasks.inventory")}>
          {inventory && visible(hosts ? `${inventory} (${hosts})` : inventory)}
        </Fact>
        <Fact label={ui.t("start_task.override.limit")}>{visible(limit)}</Fact>
        <Fact label={ui.t("placement.runs_on")}>
          {task.runner_id === null ? visible(place) : <RunnerLink ui={ui} task={task} />}
        </Fact>
        <Fact label={ui.t("compare.ansible")}>
          {visible((task.ansible_version ?? "").replace("ansible-playbook ", ""))}
        </Fact>
        <Fact label={ui.t("tasks.requirements")}>
          {visible(ui.list(task.requirements.map(requirementLabel)))}
        </Fact>
        <Fact label={ui.t("tasks.version")}>{brought && visible(brought)}</Fact>
        <Fact label={ui.t(branch ? "templates.branch" : "tasks.commit")}>
          {(branch || commit_hash) && (
            <>
              {visible(branch)} {commit_hash && <code>{commit_hash.slice(0, 10)}</code>}{" "}
              {visible(task.commit_message)}
            </>
          )}
        </Fact>
      </dl>
      {isFinished(status) && setting.isComparable && (
        <a href={ui.href(paths.compare(task.project_id, task.template_id, task.id))}>
          {ui.t("compare.link")}
        </a>
      )}
    </>
  );
}

/** A fact, if there is one. */
const Fact = ({ label, children }: { label: string; children: ComponentChildren }) =>
  children
    ? (
      <div class="task-fact">
        <dt>{label}</dt>
        <dd>{children}</dd>
      </div>
    )
    : null;
