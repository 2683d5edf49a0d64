import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { Dash } from "../ui/lists/cells.tsx";

interface RunnerLinkProps {
  ui: Ui;
  task: Pick<TaskView, "project_id" | "runner_id" | "runner_name">;
}

/** The runner that ran a task, with a link to its page; a dash if a server ran it. */
export const RunnerLink = ({ ui, task: { project_id, runner_id, runner_name } }: RunnerLinkProps) =>
  runner_id === null ? <Dash /> : (
    <a
      class="clamp"
      href={ui.href(paths.runner(project_id, runner_id))}
      title={runner_name ?? undefined}
    >
      {visible(runner_name || `#${runner_id}`)}
    </a>
  );
