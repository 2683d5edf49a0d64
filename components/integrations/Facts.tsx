import type { ComponentChildren } from "preact";

export const Facts = ({ children }: { children: ComponentChildren }) => (
  <dl class="task-facts">{children}</dl>
);

/** One fact; renders nothing without a value. */
export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) =>
  children
    ? (
      <div>
        <dt>{label}</dt>
        <dd>{children}</dd>
      </div>
    )
    : null;
