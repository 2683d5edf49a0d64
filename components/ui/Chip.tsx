import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

export interface ChipStyle {
  icon: IconName;
  tone: "neutral" | "info" | "success" | "warning" | "danger";
}

interface ChipProps extends ChipStyle {
  status: string;
  children: ComponentChildren;
}

/** A status in words, color and icon, which turns while something runs. */
export const Chip = ({ status, icon, tone, children }: ChipProps) => (
  <span class={`chip chip-${tone}`} data-status={status}>
    <Icon name={icon} class={status === "running" ? "spin" : ""} />
    <span class="truncate">{children}</span>
  </span>
);
