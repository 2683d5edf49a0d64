import type { MaintenanceView } from "../../lib/maintenance/mode/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";

/** Tells everyone of maintenance that is planned or in force, in the words of the administrator. */
export function MaintenanceNotice({ ui, state, message, begins, ends }: { ui: Ui } & Notice) {
  const title = ui.t("maintenance.title");
  const sentences = state === "on"
    ? [ui.t("maintenance.notice.on"), ends && ui.t("maintenance.notice.until", { until: ends })]
    : [
      ui.t("maintenance.notice.planned", { since: begins! }),
      ends && ui.t("maintenance.notice.until", { until: ends }),
    ];
  return (
    <section id="maintenance" class="maintenance" aria-label={title}>
      <Alert kind="warning" title={title}>
        <p>{sentences.filter(Boolean).join(" ")}</p>
        {message && <p class="whitespace-pre-line">{message}</p>}
      </Alert>
    </section>
  );
}

type Notice = Pick<MaintenanceView, "state" | "message" | "begins" | "ends">;
