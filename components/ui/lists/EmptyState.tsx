import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../Icon.tsx";

/** Placeholder of an empty list, which explains its purpose and the first step. */
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
