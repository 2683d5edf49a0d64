import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Blocked } from "../../lib/tasks/waiting/startable.ts";
import { behindOf, waitSentence } from "../../lib/tasks/waiting/wait_sentence.ts";
import type { OpenTask } from "../../lib/tasks/open_tasks.ts";
import { listed, Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";

interface WaitReasonProps {
  ui: Ui;
  now: Date;
  /** Null for tasks that start at this moment. */
  blocked: Blocked | null;
  /** Number of tasks that wait for this reason. */
  count?: number;
  /** A link to a task that must end first. */
  link(task: OpenTask): ComponentChildren;
}

/** The reason why tasks wait. */
export function WaitReason({ ui, now, blocked, count = 1, link }: WaitReasonProps) {
  const { key, params } = waitSentence(blocked, count);
  const isShared = blocked?.by === "runner" && count > 1;
  const parts = isShared
    ? { reason: <WaitReason {...{ ui, now, blocked, link }} /> }
    : { tasks: listed(ui, behindOf(blocked).map(link)), ...timeOf(ui, now, blocked) };
  return (
    <span>
      <Sentence ui={ui} of={key} params={params} parts={parts} />
    </span>
  );
}

/** The time when a silent runner was last seen, if that is the reason. */
function timeOf(ui: Ui, now: Date, blocked: Blocked | null): { since?: ComponentChildren } {
  if (blocked?.by !== "runner" || blocked.why.kind !== "silent") return {};
  return { since: <Time ui={ui} at={new Date(blocked.why.at).toISOString()} now={now} ticks /> };
}
