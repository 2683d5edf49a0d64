import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { Dash } from "@/components/ui/lists/cells.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Link to the line of the log. */
export const LineLink = (
  { ui, address, line }: { ui: Ui; address: TaskAddress; line: number | null },
) =>
  line === null ? <Dash /> : (
    <a
      class="whitespace-nowrap"
      href={address.line(line)}
      aria-current="false"
      data-stay={address.isInOverlay || undefined}
    >
      {ui.t("results.line", { line: ui.number(line) })}
    </a>
  );
