import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunStatus, StepState as State } from "@/lib/workflows/step_state.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";

type Tone = "neutral" | "info" | "success" | "warning" | "danger";

interface Look {
  icon: IconName;
  tone: Tone;
}

const TEXTS: Record<Tone, string> = {
  neutral: "text-muted",
  info: "text-info",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};

const LOOKS: Record<State | RunStatus, Look> = {
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
export function StepState({ ui, state }: { ui: Ui; state: State | RunStatus }) {
  const { icon, tone } = LOOKS[state];
  return (
    <span class={`chip chip-${tone}`} data-status={state}>
      <Icon name={icon} class={state === "running" ? "spin" : ""} />
      <span class="truncate">{ui.t(`workflows.state.${state}`)}</span>
    </span>
  );
}

/** The same as a small icon. */
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
