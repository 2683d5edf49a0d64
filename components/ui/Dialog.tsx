import type { ComponentChildren } from "preact";
import { IconLink } from "./Button.tsx";

export type DialogWidth = "small" | "medium" | "large" | "wide" | "huge";

interface DialogProps {
  /** Its heading has the id `<id>-title`. */
  id: string;
  title: ComponentChildren;
  /** At most 400, 450, 500, 700 or 1000 pixels. */
  width?: DialogWidth;
  /** Level of the heading: 1 if the dialog is the page, 2 over another page. */
  level?: 1 | 2;
  above?: ComponentChildren;
  /** Address of its close button; without it there is none. */
  close?: { href: string; label: string };
  children: ComponentChildren;
}

/**
 * A panel for one purpose. As a section of the page it needs no script. With one, links with `over`
 * open it over the current page.
 */
export function Dialog(
  { id, title, width = "small", level = 1, above, close, children }: DialogProps,
) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section id={id} class={`dialog dialog-${width}`} aria-labelledby={`${id}-title`}>
      {above}
      <div class="dialog-head">
        <Heading id={`${id}-title`}>{title}</Heading>
        {close && <IconLink icon="close" label={close.label} href={close.href} cancels />}
      </div>
      {children}
    </section>
  );
}
