import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunStatus, StepState as State } from "@/lib/workflows/step_state.ts";
import { Chip, type ChipStyle } from "./Chip.tsx";
import { Icon } from "./Icon.tsx";

const TEXTS: Record<ChipStyle["tone"], string> = {
  neutral: "text-muted",
  info: "text-info",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};

const LOOKS: Record<State | RunStatus, ChipStyle> = {
  pending: { icon: "waiting", tone: "neutral" },
  running: { icon: "running", tone: "info" },
  waiting: { icon: "waiting_confirmation", tone: "warning" },
  approval: { icon: "waiting_confirmation", tone: "warning" },
  success: { icon: "success", tone: "success" },
  failed: { icon: "error", tone: "danger" },
  skipped: { icon: "skipped", tone: "neutral" },
  stopped: { icon: "stopped", tone: "neutral" },
};

/** State of a step or of a whole run in words, color and icon. */
export const StepState = ({ ui, state }: { ui: Ui; state: State | RunStatus }) => (
  <Chip status={state} {...LOOKS[state]}>{ui.t(`workflows.state.${state}`)}</Chip>
);

/** State of a step as a small icon. */
export function StateIcon({ ui, state }: { ui: Ui; state: State }) {
  const { icon, tone } = LOOKS[state];
  return (
    <Icon
      name={icon}
      label={ui.t(`workflows.state.${state}`)}
      class={`${TEXTS[tone]} ${state === "running" ? "spin" : ""}`}
    />
  );
}
