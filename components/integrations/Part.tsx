import type { ComponentChildren } from "preact";

interface PartProps {
  id: string;
  title: string;
  about: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of the page with a heading, buttons and a description. */
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
