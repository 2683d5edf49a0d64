import type { AlertDelivery, TargetView } from "@/lib/alerts/targets/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Chip, type ChipStyle } from "../ui/Chip.tsx";

const STATE_CHIPS = {
  environment: { icon: "lock", tone: "neutral" },
  paused: { icon: "warning", tone: "danger" },
  inactive: { icon: "skipped", tone: "neutral" },
  idle: { icon: "warning", tone: "warning" },
  active: { icon: "success", tone: "success" },
} as const satisfies Record<string, ChipStyle>;

type Shown = Pick<TargetView, "from_environment" | "paused" | "active">;

/** Whether a target would receive messages, but no rule sends it any. */
export const isIdle = (
  { from_environment, paused, active }: Shown,
  hasRule: boolean,
): boolean => active && !from_environment && !paused && !hasRule;

function stateOf(target: Shown, hasRule: boolean): keyof typeof STATE_CHIPS {
  if (isIdle(target, hasRule)) return "idle";
  const { from_environment, paused, active } = target;
  return from_environment ? "environment" : paused ? "paused" : active ? "active" : "inactive";
}

interface TargetStateProps {
  ui: Ui;
  target: Shown;
  /** Whether a rule sends alerts to it. */
  hasRule: boolean;
}

/** Whether a target receives messages. */
export const TargetState = ({ ui, target, hasRule }: TargetStateProps) => {
  const state = stateOf(target, hasRule);
  return <Chip status={state} {...STATE_CHIPS[state]}>{ui.t(`alert_targets.states.${state}`)}
  </Chip>;
};

/** Whether something is active. */
export const ActiveState = ({ ui, active }: { ui: Ui; active: boolean }) => {
  const state = active ? "active" : "inactive";
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
