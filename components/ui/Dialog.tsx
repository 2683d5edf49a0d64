import type { ComponentChildren } from "preact";
import { IconLink } from "./Button.tsx";

export type DialogWidth = "small" | "medium" | "large" | "wide" | "huge";

interface DialogProps {
  /** Its heading is `<id>-title`. */
  id: string;
  title: ComponentChildren;
  /** 400, 450, 500, 700 and 1000 pixels at most. */
  width?: DialogWidth;
  /** The heading's level: 1 where the dialog is the page, 2 over another page. */
  level?: 1 | 2;
  above?: ComponentChildren;
  /** Where its cross goes; without it there is no cross. */
  close?: { href: string; label: string };
  children: ComponentChildren;
}

/**
 * A panel for one matter. As a section of the page it needs no script; where there is one, links
 * with `over` open it over the page that they are on.
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
