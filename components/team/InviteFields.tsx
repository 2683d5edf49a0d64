import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { INVITE_DAYS } from "../../lib/people/invites/schema.ts";
import { Checkbox, Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";
import type { RoleChoice } from "@/lib/people/roles/choices.ts";
import { RoleField } from "./MemberFields.tsx";

export const inviteLabels = (ui: Ui) => ({
  email: ui.t("users.email"),
  role: ui.t("team.role"),
  days: ui.t("invites.lasts"),
});

interface InviteFieldsProps {
  ui: Ui;
  form: FormState;
  labels: ReturnType<typeof inviteLabels>;
  /** Roles that members can have. */
  roles: readonly RoleChoice[];
  now: Date;
  /** Whether the server can mail links. */
  mails: boolean;
}

const DAY_MS = 86_400_000;

/** An address to invite, the role, and how long the link lasts. */
export function InviteFields({ ui, form, labels, roles, now, mails }: InviteFieldsProps) {
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const untilOf = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  return (
    <>
      <Field
        {...field("email")}
        type="email"
        required
        autofocus
        autocomplete="off"
        hint={ui.t("invites.email_hint")}
      />
      <RoleField {...{ ui, form, roles }} label={labels.role} />
      <Select
        {...field("days")}
        required
        isFixed
        options={INVITE_DAYS.map((days) => ({
          value: days,
          label: ui.t("invites.days", {
            count: Number(days),
            when: ui.minute(untilOf(Number(days))),
          }),
        }))}
      />
      {mails && <Checkbox {...{ ui, form }} name="mail" label={ui.t("first_link.mail")} />}
    </>
  );
}
