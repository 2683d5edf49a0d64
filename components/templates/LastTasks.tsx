import { TaskTable } from "@/components/tasks/TaskTable.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { listAddress, type ListState } from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

interface DisclosureProps {
  ui: Ui;
  template: Pick<TemplateView, "id" | "name">;
  /** The address of the list, and what it shows now. */
  page: string;
  state: ListState;
}

/** Shows a template's last tasks below its row, and hides them again: a link, and so no script. */
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

interface LastTasksProps {
  ui: Ui;
  tasks: TaskView[];
  /** The address that logs open over. */
  page: string;
  mayRun: boolean;
}

/** What a row shows when it is open. */
export const LastTasks = ({ tasks, ...table }: LastTasksProps) =>
  tasks.length === 0
    ? <p class="m-0 text-muted">{table.ui.t("tasks.not_launched")}</p>
    : <TaskTable {...table} tasks={tasks} />;
