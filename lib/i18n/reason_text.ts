import type { Reason } from "../base/reason.ts";
import type { Ui } from "./ui.ts";
import { visible } from "./visible.ts";

/** Returns a reason as one text: subject, Ansible task, place and message. */
export function reasonText(ui: Ui, reason: Reason): string {
  const { subject, step, message, more } = reason;
  const parts = [subject, step, placeText(reason), ui.tell(message)].map(visible);
  const text = parts.filter((part) => part !== "").reduce((before, part) =>
    ui.labelled(before, part)
  );
  return more > 0 ? `${text} (+${ui.number(more)})` : text;
}

/** Returns a position in a file, such as "site.yml:3:7"; empty for none. */
export const placeText = ({ place }: Reason): string =>
  place ? [place.file, place.line, place.column].filter(Boolean).join(":") : "";
