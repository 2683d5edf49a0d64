import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

interface RunHeadProps {
  /** Level of the heading: 1 on a page of its own, 2 in a dialog over another page. */
  level: 1 | 2;
  /** Id of the heading. */
  id?: string;
  /** The thing that was run, such as a link to the template, and its number: "Deploy shop #8". */
  title: ComponentChildren;
  /** The status as a chip. Screen readers announce its changes. */
  status: ComponentChildren;
  /** Buttons at the end of the title's line; nothing without any. */
  actions?: ComponentChildren;
  /** The message of the starter. */
  message?: string;
  /** The reason for the state, such as an `Alert`. */
  reason?: ComponentChildren;
  /** One line of `RunFact`s. It is wrapped if it does not fit, and folded on phones. */
  children: ComponentChildren;
  /** Facts that stay in sight on phones. */
  always?: ComponentChildren;
  /** Links behind the facts. */
  links?: ComponentChildren;
  /** Name of the button that unfolds the facts on phones. */
  details: string;
}

/**
 * The head of a task or of a run of a workflow: the title with its status and actions, the message,
 * the reason, and one line of facts. It renders on the server and in islands, on pages and in
 * dialogs.
 */
export function RunHead(
  { level, id, title, status, actions, message, reason, children, ...facts }: RunHeadProps,
) {
  const { always, links, details } = facts;
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <header class="run-head">
      <div class="run-head-title">
        <Heading id={id}>{title}</Heading> <span role="status">{status}</span>{" "}
        {actions && <div class="run-head-actions">{actions}</div>}
      </div>
      {message && <p class="run-head-message">{message}</p>}
      {reason}
      <div class="run-head-facts">
        {always}{" "}
        <details class="run-head-more">
          <summary class="icon-button" title={details}>
            <Icon name="info" />
            <span class="sr-only">{details}</span>
          </summary>
          <dl>{children}</dl>
          {links}
        </details>
      </div>
    </header>
  );
}

interface RunFactProps {
  /** Left out for a value that says what it is. */
  icon?: IconName;
  label: string;
  /** Complete address of the page about it, if there is one. */
  href?: string | null;
  /** More about it, shown with the label. */
  title?: string;
  /** Renders nothing without a value. */
  children: ComponentChildren;
}

/** A fact, labelled by an icon. */
export const RunFact = ({ icon, label, href, title, children }: RunFactProps) =>
  children
    ? (
      <div class="run-head-fact" title={title ? `${label}: ${title}` : label}>
        <dt>
          {icon && <Icon name={icon} />}
          <span class="sr-only">{label}</span>
        </dt>
        <dd>{href ? <a href={href}>{children}</a> : children}</dd>
      </div>
    )
    : null;
