import type { MaintenanceView } from "../../lib/maintenance/mode/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";

/** Tells everyone of maintenance that is planned or in force, in the words of the administrator. */
export function MaintenanceNotice({ ui, state, message, begins, ends }: { ui: Ui } & Notice) {
  const sentences = state === "on"
    ? [ui.t("maintenance.notice.on"), ends && ui.t("maintenance.notice.until", { until: ends })]
    : [
      ui.t("maintenance.notice.planned", { since: begins! }),
      ends && ui.t("maintenance.notice.until", { until: ends }),
    ];
  return (
    <div id="maintenance" class="maintenance">
      <Alert kind="warning" title={ui.t("maintenance.title")}>
        <p>{sentences.filter(Boolean).join(" ")}</p>
        {message && <p class="whitespace-pre-line">{message}</p>}
      </Alert>
    </div>
  );
}

type Notice = Pick<MaintenanceView, "state" | "message" | "begins" | "ends">;
