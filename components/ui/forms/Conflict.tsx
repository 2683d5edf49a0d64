import type { ConflictField, FormState } from "../../../lib/web/forms/form.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Alert } from "../Alert.tsx";
import { Button, ButtonLink } from "../Button.tsx";

interface ConflictProps {
  ui: Ui;
  form: FormState;
  labels?: Record<string, string>;
  /** Address of the form with the values that someone else has stored. */
  theirs: string;
}

/**
 * Records which stored version a form was opened with. If someone else saved in the meantime, it
 * shows both values of each field and lets the user choose, per field or for all. Part of its form.
 */
export function Conflict({ ui, form, labels = {}, theirs }: ConflictProps) {
  const { conflict } = form;
  // Fields that the page does not have keep their stored value.
  const fields = conflict?.fields.filter(({ name, mine }) => labels[name] || mine !== "") ?? [];
  return (
    <>
      <StoredVersion form={form} />
      {conflict && (
        <Alert kind="danger" title={ui.t("conflict.title")} class="conflict">
          <p>{ui.t(fields.length > 0 ? "conflict.choose" : "conflict.nothing_shown")}</p>
          {fields.map((field, index) => (
            <Choice
              key={index}
              ui={ui}
              field={field}
              label={labels[field.name] ?? field.name}
              autofocus={index === 0}
            />
          ))}
          {conflict.hidden && <p>{ui.t("conflict.hidden")}</p>}
          <div class="form-buttons">
            <ButtonLink href={theirs}>{ui.t("conflict.all_theirs")}</ButtonLink>
            <Button name="conflict" value="mine">{ui.t("conflict.all_mine")}</Button>
          </div>
        </Alert>
      )}
    </>
  );
}

/** Whether a form shows a stored object, instead of a new one. */
export const isOfStored = ({ values }: FormState): boolean => Boolean(values.stored_version);

/** The stored version that a form was opened with, for the server alone. */
export const StoredVersion = ({ form }: { form: FormState }) =>
  isOfStored(form)
    ? <input type="hidden" name="stored_version" value={form.values.stored_version} />
    : null;

interface ChoiceProps {
  ui: Ui;
  field: ConflictField;
  label: string;
  autofocus: boolean;
}

function Choice({ ui, field, label, autofocus }: ChoiceProps) {
  const { name, keep } = field;
  const isBox = [field.mine, field.theirs].includes("true");
  const shown = (text: string) =>
    isBox ? ui.t(text ? "conflict.on" : "conflict.off") : text || ui.t("conflict.blank");
  return (
    <fieldset id={`conflict-${name}`}>
      <legend>{label}</legend>
      {(["mine", "theirs"] as const).map((whose) => (
        <label class="conflict-choice">
          <input
            type="radio"
            name={`conflict.${name}`}
            value={whose === "mine" ? whose : `${whose} ${field.digest}`}
            checked={keep === whose}
            autofocus={autofocus && keep === whose}
          />
          <span>{ui.t(`conflict.${whose}`)}</span>
          <pre>{shown(field[whose])}</pre>
        </label>
      ))}
    </fieldset>
  );
}
