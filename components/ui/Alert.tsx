import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

type AlertKind = "info" | "success" | "warning" | "danger";

const ICON: Record<AlertKind, IconName> = {
  info: "info",
  success: "success",
  warning: "warning",
  danger: "error",
};

interface AlertProps {
  kind?: AlertKind;
  title?: string;
  class?: string;
  children?: ComponentChildren;
}

/** A notice in the page. A screen reader announces an error immediately. */
export function Alert({ kind = "info", title, class: more = "", children }: AlertProps) {
  return (
    <div class={`alert alert-${kind} ${more}`} role={kind === "danger" ? "alert" : undefined}>
      <Icon name={ICON[kind]} class="mt-0.5" />
      <div class="min-w-0 flex-1">
        {title && <p class="m-0 font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
