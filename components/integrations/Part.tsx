import type { ComponentChildren } from "preact";

interface PartProps {
  id: string;
  title: string;
  about: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of the page with a heading, its buttons, and what it is for. */
export const Part = ({ id, title, about, actions, children }: PartProps) => (
  <section id={id} class="integration-part" aria-labelledby={`${id}-title`}>
    <div class="part-head">
      <h2 id={`${id}-title`}>{title}</h2>
      {actions}
    </div>
    <p class="text-muted">{about}</p>
    {children}
  </section>
);
