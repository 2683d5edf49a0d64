import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

/** Stands where a list is empty: what would be here, and how to begin. */
export function EmptyState(
  { icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren },
) {
  return (
    <div class="empty-state">
      <Icon name={icon} class="text-3xl text-muted" />
      <p class="m-0 font-semibold">{title}</p>
      {children && <div class="text-muted max-w-md">{children}</div>}
    </div>
  );
}
