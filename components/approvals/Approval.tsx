import { roleLabel } from "@/lib/model/role_label.ts";
import type { ComponentChildren } from "preact";
import type { ApprovalPerson, Vote } from "../../lib/approvals/schema.ts";
import type { ApprovalRule } from "../../lib/model/approval_rule.ts";
import type { SentenceOrText } from "../../lib/base/sentence_or_text.ts";
import { personWith } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import { Alert } from "../ui/Alert.tsx";
import { TextArea } from "../ui/forms/Field.tsx";
import { ComingTime, Time } from "../ui/Time.tsx";

/** The message of a rule to the people who can approve. */
export const ApprovalMessage = ({ text }: { text: string }) =>
  text === "" ? null : <p class="approval-message">{visible(text)}</p>;

interface AskedAgainProps {
  ui: Ui;
  /** Empty for an approval that is asked for the first time. */
  reason: SentenceOrText;
}

/** The reason why an approval is asked for again. */
export const AskedAgain = ({ ui, reason }: AskedAgainProps) =>
  reason === ""
    ? null
    : <Alert kind="warning" title={ui.t("approvals.again")} class="mb-3">{ui.tell(reason)}</Alert>;

interface RuleFactsProps {
  ui: Ui;
  rule: Pick<ApprovalRule, "roles" | "not_starter" | "not_editor" | "on_timeout">;
  /** The people that it names. */
  people: readonly ApprovalPerson[];
  /** Whether it is about a run of a workflow, or about a task. */
  of: "run" | "task";
  /** End of the time limit, while it counts. */
  until: string | null;
  now: Date;
}

/** A rule: its approvers, the people that it excludes, and its time limit. */
export function RuleFacts({ ui, rule, people, of, until, now }: RuleFactsProps) {
  const named = [
    ...rule.roles.map((role) => roleLabel(ui, role)),
    ...people.map(({ id, name }) =>
      name === null ? ui.t("approvals.former", { id }) : ui.person(personWith({ id, name }))
    ),
  ];
  return (
    <dl>
      <div>
        <dt>{ui.t("approvals.who")}</dt>
        <dd>{named.length > 0 ? visible(ui.list(named)) : ui.t("approvals.everyone")}</dd>
        {rule.not_starter && <dd>{ui.t(`approvals.except_starter.${of}`)}</dd>}
        {rule.not_editor && <dd>{ui.t(`approvals.except_editor.${of}`)}</dd>}
      </div>
      {until && (
        <div>
          <dt>{ui.t("approvals.limit")}</dt>
          <dd>
            <ComingTime ui={ui} at={until} now={now} />
          </dd>
          <dd>
            {ui.labelled(
              ui.t("approvals.on_timeout"),
              ui.t(`approvals.timeout_choice.${rule.on_timeout}`),
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

interface VotesProps {
  ui: Ui;
  votes: readonly Vote[];
  now: Date;
}

/** Votes with their notes; renders nothing without any. */
export const Votes = ({ ui, votes, now }: VotesProps) =>
  votes.length === 0 ? null : (
    <ul class="approval-votes">
      {votes.map(({ user_id: id, status, created, note, ...names }) => (
        <li key={id}>
          {ui.t(`approvals.voted.${status}`, { name: ui.person({ user_id: id, ...names }) })}{" "}
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
    />
    <div class="approval-buttons">{children}</div>
  </form>
);
