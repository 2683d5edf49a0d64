import { LogWays } from "./LogWays.tsx";
import { TaskFacts } from "../TaskFacts.tsx";
import { TaskPageTitle, TaskTabs } from "../TaskTab.tsx";
import { TaskApproval } from "../TaskApproval.tsx";
import { TaskOutputs } from "../TaskOutputs.tsx";
import { NoOutput } from "../TaskOutputPart.tsx";
import { TaskRetries } from "../TaskRetries.tsx";
import { TaskWait } from "../TaskWait.tsx";
import { settingOf } from "../task_setting.ts";
import type { Tab } from "@/components/ui/Tabs.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Shell } from "@/lib/web/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { isFinished } from "@/lib/model/status.ts";
import type { TaskPage } from "@/lib/web/pages/task_page.ts";
import type { LogSections } from "@/lib/output/matches.ts";

interface LogPageProps {
  ui: Ui;
  shell: Shell;
  page: TaskPage;
  tabs: Tab[];
  mayRun: boolean;
}

/**
 * Positions of the lines and of the links below them. The same elements occur nowhere else in a
 * page.
 */
const MARKS = /<b id="log-(?:lines|ways)"><\/b>/;
export const LINES_PLACEHOLDER = <b id="log-lines" />;
export const WAYS_PLACEHOLDER = <b id="log-ways" />;

/** A task's page without any script. Its lines are inserted while it is sent: see `splitAtLog`. */
export function LogPage({ ui, shell, page, tabs, mayRun }: LogPageProps) {
  const { task } = page;
  return (
    <>
      <TaskPageTitle ui={ui} shell={shell} task={task} />
      <TaskFacts ui={ui} task={task} setting={settingOf(ui, page, mayRun)} />
      <TaskRetries ui={ui} {...page} />
      <TaskApproval ui={ui} {...page} />
      {isFinished(task.status) && <TaskOutputs ui={ui} {...page} />}
      <TaskTabs ui={ui} tabs={tabs} />
      <TaskWait ui={ui} {...page} />
      {page.mayRead ? <Log ui={ui} page={page} /> : <NoOutput ui={ui} />}
    </>
  );
}

/** The output of a task, with ways to its parts. */
function Log({ ui, page }: Pick<LogPageProps, "ui" | "page">) {
  const { task, outline } = page;
  const address = ui.href(paths.taskPage(task.project_id, task.id));
  return (
    <>
      <LogWays ui={ui} page={page} />
      <LogOutline ui={ui} outline={outline} address={address} />
      <div class="log-box log-page" role="log" aria-label={ui.t("task_log.label")} tabIndex={0}>
        {LINES_PLACEHOLDER}
      </div>
      {WAYS_PLACEHOLDER}
    </>
  );
}

/** Splits the rendered page before its lines and before the links below them. */
export function splitAtLog(html: string): { before: string; between: string; after: string } {
  const [before, between, after] = html.split(MARKS);
  return { before, between, after };
}

interface LogOutlineProps {
  ui: Ui;
  outline: LogSections & { skip: number };
  /** Address of the page, without its query. */
  address: string;
}

/** Plays and tasks of an output, linked to their lines, for a page without script. */
function LogOutline({ ui, outline, address }: LogOutlineProps) {
  const { sections, has_next, skip } = outline;
  if (sections.length === 0) return null;
  return (
    <details class="log-outline reveal" open={skip > 0}>
      <summary>{ui.t("task_log.outline")}</summary>
      <ul>
        {sections.map(({ line, title, depth, failed }, n) => (
          <li key={n} class={depth > 0 ? "log-outline-task" : undefined}>
            <a href={`${address}?line=${line}#L${line}`}>{title}</a>
            {failed > 0 && (
              <span class="text-danger">
                {" "}
                {ui.t("task_log.failed", { count: failed })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {has_next && (
        <a href={`${address}?parts=${skip + sections.length}`}>{ui.t("task_log.outline_more")}</a>
      )}
    </details>
  );
}
