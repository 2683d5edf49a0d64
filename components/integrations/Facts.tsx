import type { ComponentChildren } from "preact";

export const Facts = ({ children }: { children: ComponentChildren }) => (
  <dl class="task-facts">{children}</dl>
);

/** One of the facts; not there when there is nothing to say. */
export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) =>
  children
    ? (
      <div>
        <dt>{label}</dt>
        <dd>{children}</dd>
      </div>
    )
    : null;
