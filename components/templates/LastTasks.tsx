import { TaskTable } from "@/components/tasks/TaskTable.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { listAddress, type ListState } from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

interface DisclosureProps {
  ui: Ui;
  template: Pick<TemplateView, "id" | "name">;
  /** Address and current state of the list. */
  page: string;
  state: ListState;
}

/** Link that shows or hides a template's latest tasks below its row. Needs no script. */
export function Disclosure({ ui, template: { id, name }, page, state }: DisclosureProps) {
  const isOpen = state.open === id;
  const href = ui.href(listAddress(page, { ...state, open: isOpen ? null : id }));
  return (
    <a
      class="icon-button disclosure"
      href={`${href}#template-${id}`}
      aria-current="false"
      data-stay
      aria-expanded={isOpen ? "true" : "false"}
    >
      <span class="sr-only">{ui.t("templates.last_tasks", { name })}</span>
    </a>
  );
}

/** Number of tasks that an open row shows. */
export const LAST_TASKS = 5;

/** Returns the id of the list that receives a template's new tasks. */
export const runsOf = (templateId: number): string => `runs-of-${templateId}`;

interface LastTasksProps {
  ui: Ui;
  templateId: number;
  tasks: TaskView[];
  /** Address of the page that logs open over. */
  page: string;
  mayRun: boolean;
}

/** Content of an open row. */
export const LastTasks = ({ templateId, ...table }: LastTasksProps) => (
  <TaskTable
    {...table}
    live={{ id: runsOf(templateId), limit: LAST_TASKS }}
    empty={<NotLaunched ui={table.ui} />}
  />
);

export const NotLaunched = ({ ui }: { ui: Ui }) => (
  <p class="m-0 text-muted">{ui.t("tasks.not_launched")}</p>
);
