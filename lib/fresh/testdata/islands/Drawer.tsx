import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** Shows its content only when it is opened. */
export function Drawer(
  { title, children }: { title: ComponentChildren; children: ComponentChildren },
) {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside>
      <button type="button" onClick={() => setOpen(!isOpen)}>{title}</button>
      {isOpen ? children : null}
    </aside>
  );
}
