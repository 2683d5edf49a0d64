import type { TestResult } from "../../lib/alerts/schema.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";

interface AlertTestProps {
  ui: Ui;
  projectId: number;
  /** Results of the test messages that were just sent. */
  results?: TestResult[];
}

/** The button that sends a test message, and the answer of each channel to the last one. */
export function AlertTest({ ui, projectId, results = [] }: AlertTestProps) {
  return (
    <>
      {results.map(({ channel, ok, reason }) => (
        <Alert
          kind={ok ? "success" : "danger"}
          title={ui.t(ok ? "projects.alerts.sent" : "projects.alerts.failed", {
            channel: ui.t(`alerts.channel.${channel}`),
          })}
        >
          {reason !== null && ui.tell(reason)}
        </Alert>
      ))}
      <form method="post" action={ui.href(paths.testAlerts(projectId))}>
        <Button>{ui.t("projects.alerts.send")}</Button>
      </form>
    </>
  );
}
