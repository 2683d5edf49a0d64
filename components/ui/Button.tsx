import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

type ButtonKind = "primary" | "secondary" | "danger" | "quiet";

interface Look {
  kind?: ButtonKind;
  icon?: IconName;
  class?: string;
  children: ComponentChildren;
}

const classesOf = ({ kind = "secondary", class: more = "" }: Pick<Look, "kind" | "class">) =>
  `button button-${kind} ${more}`;

type ButtonProps =
  & Look
  & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "children" | "icon">;

/** Does something: in a form it sends the form, unless its type says otherwise. */
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

/** What a script makes of a link; without one it leads to the page, as any. */
interface Way {
  /** Complete: made with `ui.href`. */
  href: string;
  /** The dialog of that page is shown over this one. */
  over?: boolean;
  /** In a dialog over a page: closes it. */
  cancels?: boolean;
  /** That page is merged into this one: here, or as an entry of its own. */
  stays?: boolean | "push";
}

const wayOf = ({ href, over, cancels, stays }: Way) => ({
  href,
  "data-over": over || undefined,
  "data-cancel": cancels || undefined,
  "data-stay": stays || undefined,
});

/** Goes somewhere, and looks like a button. */
export function ButtonLink({ kind, icon, class: more, children, ...way }: Look & Way) {
  return (
    <a {...wayOf(way)} class={classesOf({ kind, class: more })}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

interface IconLook {
  icon: IconName;
  /** What it does, and to what: "Delete Web". Read out, shown on hover, and by text browsers. */
  label: string;
  class?: string;
}

/** A button that is a picture. */
export function IconButton(
  { icon, label, class: more = "", type = "submit", ...rest }:
    & IconLook
    & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "label" | "icon">,
) {
  return (
    <button {...rest} type={type} class={`icon-button ${more}`} title={label}>
      <Icon name={icon} />
      <span class="sr-only">{label}</span>
    </button>
  );
}

/** A link that is a picture: something to do, and so never where one is. */
export function IconLink({ icon, label, class: more = "", ...way }: IconLook & Way) {
  return (
    <a {...wayOf(way)} aria-current="false" class={`icon-button ${more}`} title={label}>
      <Icon name={icon} />
      <span class="sr-only">{label}</span>
    </a>
  );
}
