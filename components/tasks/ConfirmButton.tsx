import { Button } from "@/components/ui/Button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

interface ConfirmButtonProps {
  ui: Ui;
  task: { preview?: { failed_hosts?: number } | null };
}

/** The button of a form that confirms a task. After a preview that failed, it says so. */
export function ConfirmButton({ ui, task: { preview } }: ConfirmButtonProps) {
  if (!preview?.failed_hosts) {
    return <Button kind="primary" icon="check">{ui.t("tasks.confirm")}</Button>;
  }
  return (
    <>
      <input type="hidden" name="in_spite_of_failures" value="true" />
      <Button kind="danger" icon="warning">{ui.t("preview.confirm_failed")}</Button>
    </>
  );
}
