import type { ComponentChildren } from "preact";

interface AccessPartProps {
  id: string;
  title: string;
  actions: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A card about a way to sign in to an account: a heading, actions such as revoking all, and a list.
 */
export const AccessPart = ({ id, title, actions, children }: AccessPartProps) => (
  <section id={id} class="card grid grid-cols-1 gap-4" aria-labelledby={`${id}-title`}>
    <div class="flex flex-wrap items-center justify-between gap-2">
      <h2 id={`${id}-title`} class="m-0">{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);
