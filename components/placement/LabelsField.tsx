import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Field } from "../ui/Field.tsx";

/** Labels that the runner of tasks must have, as a text with commas. */
export const LabelsField = ({ ui, form, hint }: { ui: Ui; form: FormState; hint: string }) => (
  <Field
    ui={ui}
    form={form}
    name="runner_tag"
    label={ui.t("placement.labels")}
    hint={hint}
    maxLength={2000}
    autocomplete="off"
    placeholder="dmz, eu-1"
  />
);
