import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { Dash } from "@/components/ui/cells.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Link to the line of the log. */
export const LineLink = (
  { ui, place, line }: { ui: Ui; place: TaskPlace; line: number | null },
) =>
  line === null ? <Dash /> : (
    <a
      class="whitespace-nowrap"
      href={place.line(line)}
      aria-current="false"
      data-stay={place.isOver || undefined}
    >
      {ui.t("results.line", { line: ui.number(line) })}
    </a>
  );
