import type { ComponentChildren } from "preact";
import { NOTE_MAX, type Vote } from "../../lib/approvals/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import { TextArea } from "../ui/Field.tsx";
import { ComingTime, Time } from "../ui/Time.tsx";

/** The message of a rule to the people who can approve. */
export const ApprovalMessage = ({ text }: { text: string }) =>
  text === "" ? null : <p class="approval-message">{visible(text)}</p>;

interface TimeLimitProps {
  ui: Ui;
  until: string;
  now: Date;
  children?: ComponentChildren;
}

/** The time limit of an approval, as one of the facts about it. */
export const TimeLimit = ({ ui, until, now, children }: TimeLimitProps) => (
  <div>
    <dt>{ui.t("approvals.limit")}</dt>
    <dd>
      <ComingTime ui={ui} at={until} now={now} />
    </dd>
    {children}
  </div>
);

interface VotesProps {
  ui: Ui;
  votes: readonly Vote[];
  now: Date;
}

/** Votes with their notes; renders nothing without any. */
export const Votes = ({ ui, votes, now }: VotesProps) =>
  votes.length === 0 ? null : (
    <ul class="approval-votes">
      {votes.map(({ user_id: id, user_name, status, created, note }) => (
        <li key={id}>
          {ui.t(`approvals.voted.${status}`, { name: visible(user_name) })}{" "}
          <span class="text-muted">
            <Time ui={ui} at={created} now={now} />
          </span>
          {note && <p class="approval-note">{visible(note)}</p>}
        </li>
      ))}
    </ul>
  );

interface VoteFormProps {
  ui: Ui;
  action: string;
  /** Distinguishes the forms of a page. */
  id?: string;
  /** Parts above the note. */
  above?: ComponentChildren;
  /** The buttons. */
  children: ComponentChildren;
}

/** A note with the buttons to approve and reject. */
export const VoteForm = ({ ui, action, id, above, children }: VoteFormProps) => (
  <form method="post" action={action} data-stay>
    {above}
    <TextArea
      ui={ui}
      form={{ values: {}, errors: {}, idPrefix: id }}
      name="note"
      label={ui.t("approvals.note")}
      rows={2}
      maxLength={NOTE_MAX}
    />
    <div class="approval-buttons">{children}</div>
  </form>
);
