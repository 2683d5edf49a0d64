import type { ComponentChildren } from "preact";
import type { Reason as ReasonParts } from "@/lib/base/reason.ts";
import { placeText, reasonText } from "@/lib/i18n/reason_text.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

interface ReasonProps {
  ui: Ui;
  reason: ReasonParts;
  /** Address of the output that has `reason.line`. Without it, the message is no link. */
  output?: string;
  /** Whether that page opens over this one. */
  over?: boolean;
  /** Address of the page about the subject. */
  subject?: string;
  /** Whether it is one text, for a row of a list. Then it has no next steps. */
  brief?: boolean;
  class?: string;
  /** Links and buttons to what people can do next. */
  children?: ComponentChildren;
}

/**
 * Why something is in its state: the host, workflow step or file, the Ansible task, the message as
 * a link to the line that reports it, and what one can do. Every state other than success has one.
 */
export function Reason({ brief, class: look, ...props }: ReasonProps) {
  const { ui, reason, subject, children } = props;
  if (brief) return <Message {...props} look={look} text={reasonText(ui, reason)} />;
  const message = ui.tell(reason.message);
  const place = placeText(reason);
  const name = visible(reason.subject);
  return (
    <div class={`reason ${look ?? ""}`}>
      {(name || reason.step || place) && (
        <p class="reason-about">
          {name && <strong>{subject ? <a href={subject}>{name}</a> : name}</strong>}{" "}
          {reason.more > 0 && <span>+{ui.number(reason.more)}</span>}{" "}
          {reason.step && <span>{visible(reason.step)}</span>} {place && <code>{place}</code>}
        </p>
      )}
      <p class="reason-message">
        <Message {...props} text={message} />
      </p>
      {children && <div class="reason-next">{children}</div>}
    </div>
  );
}

/** Returns the class of a reason in a row of a list. */
export const briefLook = (isFailure: boolean): string =>
  `clamp run-reason ${isFailure ? "text-danger" : "text-muted"}`;

function Message(
  { reason: { line }, output, over, look, text }: ReasonProps & { look?: string; text: string },
) {
  if (line === null || output === undefined) return <span class={look} title={text}>{text}</span>;
  const href = `${output}${output.includes("?") ? "&" : "?"}line=${line}`;
  return (
    <a class={look} title={text} href={href} data-over={over || undefined} data-line={line}>
      {text}
    </a>
  );
}
