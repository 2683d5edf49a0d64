import type { TargetTest } from "@/lib/alerts/targets/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";

/** Whether a test message was sent, or why not. */
export const TestResult = ({ ui, result: { ok, reason } }: { ui: Ui; result: TargetTest }) => (
  <div role="status" class="mb-4">
    <Alert
      kind={ok ? "success" : "danger"}
      title={ui.t(ok ? "alert_targets.tested" : "alert_targets.test_failed")}
    >
      {reason !== null && ui.tell(reason)}
    </Alert>
  </div>
);
