import type { ComponentChildren } from "preact";
import { TASK_FACTS_KEYS, TaskFacts } from "./TaskFacts.tsx";
import { type ShownTab, TaskTabs } from "./TaskTab.tsx";
import { TaskEnd } from "./TaskEnd.tsx";
import { TaskApproval } from "./TaskApproval.tsx";
import { TaskOutputs } from "./TaskOutputs.tsx";
import { TaskRetries } from "./TaskRetries.tsx";
import { TaskWait } from "./TaskWait.tsx";
import { logTexts } from "./log/log_texts.ts";
import { settingOf, taskTitle } from "./task_setting.ts";
import TaskHeader from "@/islands/TaskHeader.tsx";
import TaskLog from "@/islands/TaskLog.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { paths } from "@/lib/base/paths.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskOutput } from "@/lib/web/pages/task_output.ts";
import { isFinished } from "@/lib/model/status.ts";

interface TaskOutputPartProps {
  ui: Ui;
  about: TaskOutput;
  shown: ShownTab;
  /** The project's name. */
  project: string;
  mayRun: boolean;
  /** Further links below the output. */
  children?: ComponentChildren;
}

/** A task's facts and its output, live. They are the same on its page and over other pages. */
export function TaskOutputPart(
  { ui, about, shown, project, mayRun, children }: TaskOutputPartProps,
) {
  const { task, start, line, here } = about;
  const { id, project_id: projectId } = task;
  const api = ui.href(`/api${paths.taskPage(projectId, id)}`);
  const reader = { language: ui.language, timeZone: ui.timeZone, api };
  const title = [...taskTitle(task, "{{status}}", project), ui.t("app.name")];
  const setting = settingOf(ui, about, mayRun);
  const told = {
    ...task,
    end_reason: ui.tell(task.end_reason),
    reason: task.reason && { ...task.reason, message: ui.tell(task.reason.message) },
  };
  return (
    <div id="task-live">
      {/* A finished task never changes. Its key is that of the island which has shown its end. */}
      {isFinished(task.status)
        ? (
          <div id="task-header" tabIndex={-1} data-island={islandKey([id, ui.language, setting])}>
            <TaskFacts ui={ui} task={told} setting={setting} />
          </div>
        )
        : (
          <TaskHeader
            {...reader}
            locale={ui.locale}
            task={told}
            setting={setting}
            title={visible(title.join(" - "))}
            basePath={ui.href("")}
            texts={Object.fromEntries(
              [...TASK_FACTS_KEYS, "live.unreachable"].map((key) => [key, ui.t(key)]),
            )}
          />
        )}
      <TaskEnd
        follows={isFinished(task.status)
          ? undefined
          : ui.href(paths.taskOutputs(projectId, id, here))}
      />
      <TaskRetries ui={ui} {...about} />
      <TaskApproval ui={ui} {...about} follows />
      <TaskOutputs ui={ui} {...about} />
      <TaskTabs ui={ui} tabs={shown.tabs} />
      <TaskWait ui={ui} {...about} />
      {!about.mayRead && <NoOutput ui={ui} />}
      {about.mayRead && (
        <TaskLog
          {...reader}
          taskId={id}
          start={{ ...start, isLive: !isFinished(task.status) }}
          line={line}
          failure={task.failure_line}
          lineUrl={`${ui.href(here)}${here.includes("?") ? "&" : "?"}line=`}
          texts={logTexts(ui, task)}
        />
      )}
      {about.mayRead && task.output_cut && <p class="text-muted">{ui.t("task_log.cut")}</p>}
      <p class="log-links">
        {children}
        {about.mayRead && <RawOutput ui={ui} api={api} />}
      </p>
      {about.mayRead && <script dangerouslySetInnerHTML={{ __html: PLACE_LOG }} />}
    </div>
  );
}

const RawOutput = ({ ui, api }: { ui: Ui; api: string }) => (
  <>
    <a href={`${api}/raw_output?plain=true`}>{ui.t("task_log.raw")}</a>
    <a href={`${api}/raw_output?plain=true&times=true`}>{ui.t("task_log.raw_times")}</a>
  </>
);

/** Stands for the output of a task on pages of people who may not read it. */
export const NoOutput = ({ ui }: { ui: Ui }) => <Alert>{ui.t("task_log.may_not_read")}</Alert>;

/**
 * Scrolls the output to its line or end before it is first drawn. The island's script would do so
 * later, and everything in sight would move.
 */
const PLACE_LOG = `{const box=document.currentScript.parentElement.querySelector(".log-box"),` +
  `line=box.querySelector(".log-found"),top=(e)=>e.getBoundingClientRect().top;` +
  `box.scrollTop=line?top(line)-top(box)-box.clientHeight/3:box.scrollHeight}`;
