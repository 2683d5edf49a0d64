import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import { IconLink } from "./Button.tsx";

export type DialogWidth = "small" | "medium" | "large" | "wide" | "huge";

interface DialogProps {
  ui: Ui;
  /** Its heading has the id `<id>-title`. Without a title, the content has that heading. */
  id: string;
  title?: ComponentChildren;
  /** At most 400, 450, 500, 700 or 1000 pixels. */
  width?: DialogWidth;
  /** Level of the heading: 1 if the dialog is the page, 2 over another page. */
  level?: 1 | 2;
  above?: ComponentChildren;
  /** Complete address that its close button leads to; null if there is no way around it. */
  close: string | null;
  /** Shows something that cannot be shown again, so a click beside it does not close it. */
  once?: boolean;
  children: ComponentChildren;
}

/**
 * A panel for one purpose. As a section of the page it needs no script. With one, links with `over`
 * open it over the current page. Each closes with its button, Escape, Back, and a click beside it
 * unless something could be lost: see `lib/client/page/overlay_links.ts`.
 */
export function Dialog(
  { ui, id, title, width = "small", level, above, close, once, children }: DialogProps,
) {
  return (
    <section
      id={id}
      class={`dialog dialog-${width}`}
      aria-labelledby={`${id}-title`}
      data-once={once}
    >
      {above}
      <DialogHead id={id} title={title} level={level}>
        {close !== null && (
          <IconLink icon="close" label={ui.t("actions.close")} href={close} cancels />
        )}
      </DialogHead>
      {children}
    </section>
  );
}

interface DialogHeadProps extends Pick<DialogProps, "id" | "title" | "level"> {
  /** The control that closes the dialog. */
  children: ComponentChildren;
}

/** The heading of a dialog, with its close button at the end of the line. */
export function DialogHead({ id, title, level = 1, children }: DialogHeadProps) {
  if (title === undefined) return <div class="dialog-close">{children}</div>;
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div class="dialog-head">
      <Heading id={`${id}-title`}>{title}</Heading>
      {children}
    </div>
  );
}
