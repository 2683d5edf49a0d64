import { Chip, type ChipStyle } from "@/components/ui/Chip.tsx";
import type { ShownState } from "@/lib/drift/state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

const STYLES: Record<ShownState, ChipStyle> = {
  would_change: { icon: "drift", tone: "danger" },
  not_reached: { icon: "error", tone: "warning" },
  unknown: { icon: "help", tone: "warning" },
  accepted: { icon: "confirmed", tone: "info" },
  as_described: { icon: "success", tone: "success" },
};

/** The state of a host for a template. */
export const DriftState = ({ ui, state }: { ui: Ui; state: ShownState }) => (
  <Chip status={state} {...STYLES[state]}>{ui.t(`drift.states.${state}`)}</Chip>
);
