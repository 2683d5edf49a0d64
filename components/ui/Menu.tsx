import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

interface MenuProps {
  label: string;
  children: ComponentChildren;
}

/** A button that shows a list of links or forms. Opens without a script. */
export function Menu({ label, children }: MenuProps) {
  return (
    <details class="menu">
      <summary class="button button-secondary">
        {label}
        <Icon name="chevron_down" />
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
