import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface AttemptMarkProps {
  ui: Ui;
  task: Pick<TaskView, "attempt" | "attempts" | "next_retry">;
}

/** "2 of 4" beside a task in lists, if it is one of several attempts. */
export function AttemptMark(
  { ui, task: { attempt: n, attempts: of, next_retry } }: AttemptMarkProps,
) {
  if (n === null || of === null || n === 1 && next_retry === null) return null;
  return (
    <span class="attempt" title={ui.t("retry.attempt", { n, of })}>
      {ui.t("retry.count", { n, of })}
    </span>
  );
}
