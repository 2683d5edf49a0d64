import type { TargetTest } from "@/lib/alerts/targets/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";

interface TestResultProps {
  ui: Ui;
  result: TargetTest;
  /** Complete address of the target's form, for pages that have no other link to it. */
  edit?: string;
}

/** Whether a test message was sent, or why not, with the way to change that. */
export const TestResult = ({ ui, result: { ok, reason }, edit }: TestResultProps) => (
  <div role="status" class="mb-4">
    <Alert
      kind={ok ? "success" : "danger"}
      title={ui.t(ok ? "alert_targets.tested" : "alert_targets.test_failed")}
    >
      {reason !== null && ui.tell(reason)}
      {!ok && edit && (
        <p class="m-0 mt-2">
          <ButtonLink icon="edit" href={edit} over>{ui.t("alert_targets.edit")}</ButtonLink>
        </p>
      )}
    </Alert>
  </div>
);
