import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

/**
 * Kinds of buttons: "danger" takes something away, and is an outline. "final" is filled red, and
 * only answers the last question before a deletion (`danger` of `Form`).
 */
type ButtonKind = "primary" | "secondary" | "danger" | "final" | "quiet";

interface ButtonStyle {
  kind?: ButtonKind;
  icon?: IconName;
  class?: string;
  children: ComponentChildren;
}

const classesOf = ({ kind = "secondary", class: more = "" }: Pick<ButtonStyle, "kind" | "class">) =>
  `button button-${kind} ${more}`;

type ButtonProps =
  & ButtonStyle
  & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "children" | "icon">;

/** A button with an action. In a form it submits the form, unless its type says otherwise. */
export function Button(
  { kind, icon, class: more, children, type = "submit", ...rest }: ButtonProps,
) {
  return (
    <button {...rest} type={type} class={classesOf({ kind, class: more })}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** How a script handles a link. Without a script it leads to the page. */
interface Way {
  /** Complete address, made with `ui.href`. */
  href: string;
  /** Opens the dialog of that page over this one. */
  over?: boolean;
  /** Closes the dialog over a page. */
  cancels?: boolean;
  /** Merges that page into this one, in place or as a history entry of its own. */
  stays?: boolean | "push";
}

const wayOf = ({ href, over, cancels, stays }: Way) => ({
  href,
  "data-over": over || undefined,
  "data-cancel": cancels || undefined,
  "data-stay": stays || undefined,
});

/** A link that looks like a button. */
export function ButtonLink({ kind, icon, class: more, children, ...way }: ButtonStyle & Way) {
  return (
    <a {...wayOf(way)} class={classesOf({ kind, class: more })}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

interface IconButtonStyle {
  icon: IconName;
  /** Action and object: "Delete Web". For screen readers, tooltips and text browsers. */
  label: string;
  class?: string;
}

export function IconButton(
  { icon, label, class: more = "", type = "submit", ...rest }:
    & IconButtonStyle
    & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "label" | "icon">,
) {
  return (
    <button {...rest} type={type} class={`icon-button ${more}`} title={label}>
      <Icon name={icon} />
      <span class="sr-only">{label}</span>
    </button>
  );
}

/** A link that is an icon. It stands for an action, so it is never the current page. */
export function IconLink({ icon, label, class: more = "", ...way }: IconButtonStyle & Way) {
  return (
    <a {...wayOf(way)} aria-current="false" class={`icon-button ${more}`} title={label}>
      <Icon name={icon} />
      <span class="sr-only">{label}</span>
    </a>
  );
}
