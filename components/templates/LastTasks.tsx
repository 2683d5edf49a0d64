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

/** How many an open row shows. */
export const LAST_TASKS = 5;

/** The id of the list that a template's new runs come into. */
export const runsOf = (templateId: number): string => `runs-of-${templateId}`;

interface LastTasksProps {
  ui: Ui;
  templateId: number;
  tasks: TaskView[];
  /** The address that logs open over. */
  page: string;
  mayRun: boolean;
}

/** What a row shows when it is open. */
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
