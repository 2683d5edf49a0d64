import type { ComponentChildren } from "preact";
import { ROLES } from "../../lib/model/roles.ts";
import { MINUTES_MAX, NEEDED_MAX } from "../../lib/approvals/schema.ts";
import { personWith } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Checkbox, Segments } from "../ui/forms/Choice.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";

interface Person {
  id: number;
  name: string;
}

interface ApprovalFieldsProps {
  ui: Ui;
  form: FormState;
  /** Start of the fields' names, such as "approval.". */
  prefix?: string;
  /** Members of the project. */
  people: readonly Person[];
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
  const { ui, form, prefix = "", notStarter, notEditor, messageHint } = props;
  const field = (name: string) => ({ ui, form, name: prefix + name });
  const lists = { ui, form, prefix };
  return (
    <>
      <div class="approval-lists">
        <CheckList
          {...lists}
          name="roles"
          label={ui.t("approvals.roles")}
          options={ROLES.map((role, n) => ({ n, value: role, label: ui.t(`roles.${role}`) }))}
        />
        <CheckList
          {...lists}
          name="user_ids"
          label={ui.t("approvals.people")}
          options={peopleOptions(props)}
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

interface Box {
  n: number;
  value: string;
  label: ComponentChildren;
}

/** Members, and chosen people who have left the project. A save would drop them otherwise. */
function peopleOptions({ ui, form, prefix, people }: ApprovalFieldsProps): Box[] {
  const known = new Set(people.map(({ id }) => id));
  const former = [...chosenIn(form, `${prefix ?? ""}user_ids`)].map(Number)
    .filter((id) => id > 0 && !known.has(id));
  return [
    ...people.map((one) => ({
      n: one.id,
      value: String(one.id),
      label: ui.person(personWith(one)),
    })),
    ...former.map((id) => ({ n: id, value: String(id), label: ui.t("approvals.former", { id }) })),
  ];
}

/** Returns the chosen values of a list, which is a text or one text for each of its rows. */
const chosenIn = ({ values }: FormState, name: string): Set<string> =>
  new Set(
    Object.entries(values)
      .filter(([field]) => field === name || field.startsWith(`${name}.`))
      .map(([, text]) => text),
  );

interface CheckListProps {
  ui: Ui;
  form: FormState;
  prefix: string;
  name: string;
  label: string;
  options: Box[];
}

/** A box for each value that a list may have. */
function CheckList({ ui, form, prefix, name: own, label, options }: CheckListProps) {
  const name = prefix + own;
  const chosen = chosenIn(form, name);
  const error = form.errors[name];
  const id = `field-${name}`;
  return (
    <fieldset
      id={id}
      class="field check-list"
      tabIndex={-1}
      aria-describedby={error && `${id}-error`}
    >
      <legend>{label}</legend>
      {options.map(({ n, value, label }) => (
        <label key={n} class="check">
          <input
            type="checkbox"
            name={`${name}.${n}`}
            value={value}
            checked={chosen.has(value)}
          />
          <span>{label}</span>
        </label>
      ))}
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
    </fieldset>
  );
}
