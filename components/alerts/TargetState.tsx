import type { AlertDelivery, TargetView } from "@/lib/alerts/targets/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Chip, type ChipStyle } from "../ui/Chip.tsx";

const STATE_CHIPS = {
  environment: { icon: "lock", tone: "neutral" },
  paused: { icon: "warning", tone: "danger" },
  inactive: { icon: "skipped", tone: "neutral" },
  active: { icon: "success", tone: "success" },
} as const satisfies Record<string, ChipStyle>;

type Shown = Pick<TargetView, "from_environment" | "paused" | "active">;

const stateOf = ({ from_environment, paused, active }: Shown): keyof typeof STATE_CHIPS =>
  from_environment ? "environment" : paused ? "paused" : active ? "active" : "inactive";

/** Whether a target receives messages. */
export const TargetState = ({ ui, target }: { ui: Ui; target: Shown }) => {
  const state = stateOf(target);
  return <Chip status={state} {...STATE_CHIPS[state]}>{ui.t(`alert_targets.states.${state}`)}
  </Chip>;
};

const DELIVERY_CHIPS: Record<AlertDelivery["status"], ChipStyle> = {
  waiting: { icon: "waiting", tone: "neutral" },
  sent: { icon: "success", tone: "success" },
  failed: { icon: "rerun", tone: "warning" },
  abandoned: { icon: "error", tone: "danger" },
  skipped: { icon: "skipped", tone: "neutral" },
};

/** The status of a message on its way to a target. */
export const DeliveryState = ({ ui, status }: { ui: Ui; status: AlertDelivery["status"] }) => (
  <Chip status={status} {...DELIVERY_CHIPS[status]}>
    {ui.t(`alert_targets.deliveries.${status}`)}
  </Chip>
);
