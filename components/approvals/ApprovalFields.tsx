import { MINUTES_MAX, NEEDED_MAX } from "../../lib/approvals/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Checkbox, Segments } from "../ui/forms/Choice.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { CheckList, type ListedPerson, peopleBoxes, roleBoxes } from "../ui/forms/CheckLists.tsx";

interface ApprovalFieldsProps {
  ui: Ui;
  form: FormState;
  /** Start of the fields' names, such as "approval.". */
  prefix?: string;
  /** Roles that the project and the server define. */
  roles: readonly { slug: string; name: string }[];
  /** Members of the project. */
  people: readonly ListedPerson[];
  /** Labels of the two fields that exclude people. */
  notStarter: string;
  notEditor: string;
  messageHint?: string;
}

/** Names the fields of a rule, for the list of errors above a form. */
export const approvalLabels = (
  ui: Ui,
  prefix: string,
  { notStarter, notEditor }: Pick<ApprovalFieldsProps, "notStarter" | "notEditor">,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      roles: ui.t("approvals.roles"),
      user_ids: ui.t("approvals.people"),
      needed: ui.t("approvals.needed"),
      not_starter: notStarter,
      not_editor: notEditor,
      timeout_minutes: ui.t("approvals.timeout_minutes"),
      on_timeout: ui.t("approvals.on_timeout"),
      message: ui.t("approvals.message"),
    }).map(([name, label]) => [prefix + name, label]),
  );

/**
 * The fields of an approval rule. The boxes of a list are its rows, numbered so that each box keeps
 * its name.
 */
export function ApprovalFields(props: ApprovalFieldsProps) {
  const { ui, form, prefix = "", roles, people, notStarter, notEditor, messageHint } = props;
  const field = (name: string) => ({ ui, form, name: prefix + name });
  return (
    <>
      <div class="approval-lists">
        <CheckList
          {...{ ui, form }}
          name={`${prefix}roles`}
          label={ui.t("approvals.roles")}
          options={roleBoxes(ui, form, `${prefix}roles`, roles)}
        />
        <CheckList
          {...{ ui, form }}
          name={`${prefix}user_ids`}
          label={ui.t("approvals.people")}
          options={peopleBoxes(ui, form, `${prefix}user_ids`, people)}
        />
      </div>
      <p class="field-hint">{ui.t("approvals.who_hint")}</p>
      <Field
        {...field("needed")}
        label={ui.t("approvals.needed")}
        type="number"
        min={1}
        max={NEEDED_MAX}
        placeholder="1"
        class="half"
      />
      <Field
        {...field("timeout_minutes")}
        label={ui.t("approvals.timeout_minutes")}
        hint={ui.t("approvals.timeout_hint")}
        type="number"
        min={1}
        max={MINUTES_MAX}
        class="half"
      />
      <Checkbox {...field("not_starter")} label={notStarter} />
      <Checkbox {...field("not_editor")} label={notEditor} />
      <Segments
        {...field("on_timeout")}
        form={withDefault(form, `${prefix}on_timeout`, "rejected")}
        label={ui.t("approvals.on_timeout")}
        options={["rejected", "approved"].map((value) => ({
          value,
          label: ui.t(`approvals.timeout_choice.${value}`),
        }))}
      />
      <TextArea
        {...field("message")}
        label={ui.t("approvals.message")}
        hint={messageHint}
        rows={2}
      />
    </>
  );
}

const withDefault = (form: FormState, name: string, value: string): FormState => ({
  ...form,
  values: { ...form.values, [name]: form.values[name] || value },
});
