import type { ComponentChildren } from "preact";

interface FactsProps {
  class?: string;
  children: ComponentChildren;
}

/** Short facts about the thing that a page shows. */
export const Facts = ({ class: more = "", children }: FactsProps) => (
  <dl class={`task-facts ${more}`}>{children}</dl>
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
