import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Field } from "../ui/forms/Field.tsx";

interface LabelsFieldProps {
  ui: Ui;
  form: FormState;
  hint: string;
  /** Labels of the project's runners. */
  known: readonly string[];
}

const KNOWN = "known-labels";

/** Labels that the runner of tasks must have, as a text with commas. */
export const LabelsField = ({ ui, form, hint, known }: LabelsFieldProps) => (
  <>
    <Field
      ui={ui}
      form={form}
      name="runner_tag"
      label={ui.t("placement.labels")}
      hint={hint}
      autocomplete="off"
      list={KNOWN}
      isOfWords
    />
    <datalist id={KNOWN}>
      {known.map((label, n) => <option key={n} value={label} />)}
    </datalist>
  </>
);
