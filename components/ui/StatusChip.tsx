import type { Ui } from "../../lib/i18n/ui.ts";
import { Chip, type ChipStyle } from "./Chip.tsx";
import { Icon, type IconName } from "./Icon.tsx";

const CHIP_STYLES: Record<string, ChipStyle> = {
  waiting: { icon: "waiting", tone: "neutral" },
  starting: { icon: "starting", tone: "warning" },
  waiting_confirmation: { icon: "waiting_confirmation", tone: "warning" },
  confirmed: { icon: "confirmed", tone: "warning" },
  running: { icon: "running", tone: "info" },
  stopping: { icon: "stopped", tone: "neutral" },
  stopped: { icon: "stopped", tone: "neutral" },
  success: { icon: "success", tone: "success" },
  error: { icon: "error", tone: "danger" },
};

/** Status of a task in words, color and icon. Null means that it never ran. */
export function StatusChip({ ui, status }: { ui: Ui; status: string | null }) {
  if (!status) return <span class="text-muted">{ui.t("tasks.not_launched")}</span>;
  const style = CHIP_STYLES[status];
  return (
    <Chip status={status} {...style ?? { icon: "help", tone: "neutral" }}>
      {style ? ui.t(`tasks.status.${status}`) : status}
    </Chip>
  );
}

/** A version with a small icon for the result of its task. */
export function VersionIcon({ ui, status }: { ui: Ui; status: string }) {
  const [icon, tone]: [IconName, string] = status === "success"
    ? ["check", "text-success"]
    : status === "error"
    ? ["close", "text-danger"]
    : ["waiting", "text-muted"];
  const label = CHIP_STYLES[status] ? ui.t(`tasks.status.${status}`) : status;
  return <Icon name={icon} label={label} class={tone} />;
}
