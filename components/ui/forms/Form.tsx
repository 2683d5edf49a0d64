import type { ComponentChildren } from "preact";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";
import { Alert } from "../Alert.tsx";
import { Button, ButtonLink } from "../Button.tsx";
import { Conflict } from "./Conflict.tsx";
import { fieldId } from "./Field.tsx";
import { Restored, ShownAgain } from "./Restored.tsx";

interface FormProps {
  ui: Ui;
  form: FormState;
  /** Complete address that receives it, made with `ui.href`. */
  action: string;
  /** Label of the button that submits it. */
  save: ComponentChildren;
  /** Address of "Cancel"; without it there is no such link. */
  cancel?: string;
  /** Labels of the fields in the order of the form, for the list of errors. */
  labels?: Record<string, string>;
  /** Further buttons, between Cancel and save. */
  actions?: ComponentChildren;
  upload?: boolean;
  /** Whether the form is the last question before a deletion. */
  danger?: boolean;
  children: ComponentChildren;
}

/**
 * A form with its errors at the top, and its buttons in a bar that stays in view. Needs no script.
 * The server validates it and reports all errors together. A browser would report one field at a
 * time, and cannot point at a field that the chosen type hides.
 */
export function Form(
  { ui, form, action, save, cancel, labels, actions, upload, danger, children }: FormProps,
) {
  return (
    <form
      method="post"
      action={action}
      class="form"
      data-stay
      noValidate
      encType={upload ? "multipart/form-data" : undefined}
    >
      {/* Enter in a field presses a form's first button, which must be the one that saves. */}
      <button type="submit" hidden />
      <FormErrors ui={ui} form={form} labels={labels} />
      <Conflict ui={ui} form={form} labels={labels} theirs={action} />
      <ShownAgain />
      {form.values.once && <input type="hidden" name="once" value={form.values.once} />}
      <Restored ui={ui} form={form} labels={labels} />
      {children}
      <div class="form-bar">
        {cancel && (
          <ButtonLink kind="quiet" href={cancel} cancels>{ui.t("actions.cancel")}</ButtonLink>
        )} {actions} <Button kind={danger ? "final" : "primary"}>{save}</Button>
      </div>
    </form>
  );
}

interface FormSectionProps {
  id: string;
  title: string;
  hint?: ComponentChildren;
  children: ComponentChildren;
}

/** A group of fields in a long form. Fields of class `half` are side by side. */
export const FormSection = ({ id, title, hint, children }: FormSectionProps) => (
  <div id={id} class="form-section" role="group" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {hint && <p class="field-hint">{hint}</p>}
    <div class="form-fields">{children}</div>
  </div>
);

/** The errors of a form, each with a link to its field. Renders nothing without errors. */
export function FormErrors(
  { ui, form, labels = {} }: Pick<FormProps, "ui" | "form" | "labels">,
) {
  const order = Object.keys(labels);
  const rank = (field: string) => order.includes(field) ? order.indexOf(field) : order.length;
  const fields = Object.keys(form.errors).toSorted((a, b) => rank(a) - rank(b));
  if (fields.length === 0) return null;
  const sentence = (field: string) => ui.t(form.errors[field].key, form.errors[field].params);
  if (fields.length === 1 && fields[0] === "") {
    return <Alert kind="danger">{sentence("")}</Alert>;
  }
  return (
    <Alert kind="danger" title={ui.t("forms.errors", { count: fields.length })}>
      <ul class="m-0 pl-5">
        {fields.map((field) => (
          <li>
            {labelOf(labels, field) === undefined
              ? sentence(field)
              : (
                <a href={`#${fieldId(form, field)}`}>
                  {ui.labelled(labelOf(labels, field)!, sentence(field))}
                </a>
              )}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/**
 * Returns the label of a field, or of the list or group that it belongs to. A field that is not in
 * the form has none, for example one of a crafted request.
 */
function labelOf(labels: Record<string, string>, field: string): string | undefined {
  const parts = field.split(".");
  const names = parts.map((_, n) => parts.slice(0, parts.length - n).join("."));
  const known = names.find((name) => Object.hasOwn(labels, name));
  return known === undefined ? undefined : labels[known];
}
