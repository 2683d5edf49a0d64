import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

interface MenuProps {
  label: string;
  icon?: IconName;
  /** On which side of its button it opens. */
  align?: "start" | "end";
  children: ComponentChildren;
}

/** A button that shows a list of links or forms. A browser opens it without a script. */
export function Menu({ label, icon, align = "end", children }: MenuProps) {
  return (
    <details class="menu">
      <summary class={icon ? "icon-button" : "button button-secondary"} aria-label={icon && label}>
        {icon ? <Icon name={icon} /> : label}
        {!icon && <Icon name="chevron_down" />}
      </summary>
      <div class={`menu-panel menu-${align}`}>{children}</div>
    </details>
  );
}
