import type { ComponentChildren } from "preact";
import { ROLES } from "@/lib/access/permissions.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { Checkbox, Segments } from "../ui/Choice.tsx";
import { Field, TextArea } from "../ui/Field.tsx";
import { FormSection } from "../ui/Form.tsx";

interface ApprovalFieldsProps {
  ui: Ui;
  form: FormState;
  /** Members of the project, who can approve. */
  people: readonly { id: number; name: string }[];
}

/** The rule of an approval: who can approve, how many must, and for how long it waits. */
export function ApprovalFields({ ui, form, people }: ApprovalFieldsProps) {
  const common = { ui, form };
  return (
    <>
      <FormSection
        id="step-approvers"
        title={ui.t("approvals.who")}
        hint={ui.t("approvals.who_hint")}
      >
        <CheckList ui={ui} form={form} name="roles" label={ui.t("approvals.roles")}>
          {ROLES.filter((role) => role !== "guest").map((role, n) => (
            <Tick key={n} form={form} name="roles" value={role}>{ui.t(`roles.${role}`)}</Tick>
          ))}
        </CheckList>
        <CheckList ui={ui} form={form} name="user_ids" label={ui.t("approvals.people")}>
          {people.map(({ id, name }) => (
            <Tick key={id} form={form} name="user_ids" value={String(id)}>{name}</Tick>
          ))}
        </CheckList>
        <Field
          {...common}
          name="needed"
          label={ui.t("approvals.needed")}
          type="number"
          min={1}
          max={10}
        />
        <Checkbox {...common} name="not_starter" label={ui.t("approvals.not_starter")} />
        <Checkbox {...common} name="not_editor" label={ui.t("approvals.not_editor")} />
      </FormSection>
      <FormSection id="step-limit" title={ui.t("approvals.limit")}>
        <Field
          {...common}
          name="timeout_minutes"
          label={ui.t("approvals.timeout_minutes")}
          hint={ui.t("approvals.timeout_hint")}
          type="number"
          min={1}
          max={43_200}
        />
        <Segments
          {...common}
          name="on_timeout"
          label={ui.t("approvals.on_timeout")}
          options={["rejected", "approved"].map((value) => ({
            value,
            label: ui.t(`approvals.timeout_choice.${value}`),
          }))}
        />
      </FormSection>
      <TextArea
        {...common}
        name="message"
        label={ui.t("approvals.message")}
        hint={ui.t("approvals.message_hint")}
        maxLength={2000}
      />
    </>
  );
}

interface CheckListProps {
  ui: Ui;
  form: FormState;
  name: string;
  label: string;
  children: ComponentChildren;
}

function CheckList({ ui, form, name, label, children }: CheckListProps) {
  const error = form.errors[name];
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {children}
      {error && <p id={`field-${name}-error`} class="field-error">{ui.tell(error)}</p>}
    </fieldset>
  );
}

interface TickProps {
  form: FormState;
  name: string;
  value: string;
  children: ComponentChildren;
}

/** One of several values of a list. */
function Tick({ form, name, value, children }: TickProps) {
  const isChosen = Object.entries(form.values).some(([field, text]) =>
    (field === name || field.startsWith(`${name}.`)) && text === value
  );
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={isChosen} />
      <span>{children}</span>
    </label>
  );
}
