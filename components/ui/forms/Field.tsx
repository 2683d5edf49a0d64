import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from "preact";
import SuggestedText from "../../../islands/SuggestedText.tsx";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";

/** Properties of every kind of field. `name` is the dotted name in the form. */
export interface FieldProps {
  ui: Ui;
  form: FormState;
  name: string;
  label: string;
  required?: boolean;
  /** Shown below the field, and read out with it. */
  hint?: ComponentChildren;
  /** Gets the focus when the page opens, unless another field has an error. */
  autofocus?: boolean;
  disabled?: boolean;
  class?: string;
}

type InputProps =
  & FieldProps
  & Pick<
    InputHTMLAttributes<HTMLInputElement>,
    | "type"
    | "placeholder"
    | "autocomplete"
    | "inputMode"
    | "min"
    | "max"
    | "step"
    | "pattern"
  >
  & {
    /** Id of a `datalist` with suggestions, and whether each is one of several words. */
    list?: string;
    isOfWords?: boolean;
  };

/**
 * One line of text, a number or a secret. A secret that was sent is never shown again. A text is
 * never cut at its limit while it is typed: the server says that it is too long.
 */
export function Field({ type = "text", class: more, hint, ...props }: InputProps) {
  const { ui, form, name, label: _label, required, disabled, autofocus: _focus, ...others } = props;
  const { list, isOfWords, ...rest } = others;
  const value = type === "password" ? undefined : form.values[name] ?? "";
  const field = {
    ...rest,
    ...fieldAttributes({ ...props, hint, secret: type === "password" }),
    type,
    required,
    disabled,
  };
  return (
    <FieldFrame {...props} hint={hint} class={more}>
      {list && value !== undefined
        ? <SuggestedText {...{ field, value, list, isOfWords }} label={ui.t("forms.suggestions")} />
        : <input {...field} value={value} spellcheck={false} />}
      {type === "password" && <SecretFieldMarker {...props} id={fieldId(props.form, name)} />}
    </FieldFrame>
  );
}

type TextAreaProps =
  & FieldProps
  & Pick<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    "placeholder" | "rows"
  >
  & {
    /** For code, keys and JSON: monospaced and unwrapped. */
    code?: boolean;
    /** Shown as dots. A secret that was sent is never shown again. */
    secret?: boolean;
  };

export function TextArea({ code, secret, rows = 3, class: more, hint, ...props }: TextAreaProps) {
  const { form, name, required, disabled, placeholder } = props;
  return (
    <FieldFrame {...props} hint={hint} class={more}>
      <textarea
        {...fieldAttributes({ ...props, hint, secret })}
        class={code ? "code" : undefined}
        rows={rows}
        required={required}
        disabled={disabled}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        data-secret={secret || undefined}
      >
        {secret ? "" : form.values[name] ?? ""}
      </textarea>
      {secret && <SecretFieldMarker {...props} id={fieldId(props.form, name)} />}
    </FieldFrame>
  );
}

/** Label, field, hint and error of one field. */
export function FieldFrame(
  { ui, form, name, label, required, hint, class: more = "", children }:
    & Omit<FieldProps, "autofocus" | "disabled">
    & { children: ComponentChildren },
) {
  const id = fieldId(form, name);
  const error = form.errors[name];
  return (
    <div class={`field ${more}`}>
      <label for={id} class={required ? "required" : undefined}>{label}</label>
      {children}
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint">{hint}</p>}
    </div>
  );
}

/** Returns id, name, focus and ARIA attributes of a field. */
export function fieldAttributes(
  { form, name, hint, autofocus, secret }:
    & Pick<FieldProps, "form" | "name" | "hint" | "autofocus">
    & { secret?: boolean },
) {
  const id = fieldId(form, name);
  const bad = form.errors[name] !== undefined;
  const lost = secret && isLost(form, name);
  const described = [bad && `${id}-error`, lost && `${id}-lost`, hint && `${id}-hint`].filter(
    Boolean,
  ).join(" ");
  return {
    id,
    name,
    autofocus: hasFocus(form, name, autofocus) || undefined,
    "aria-invalid": bad ? "true" as const : undefined,
    "aria-describedby": described || undefined,
  };
}

/** Properties of a text area for a secret that may have several lines, such as a private key. */
export const SECRET_LINES = { secret: true, rows: 1 } as const;

export const fieldId = ({ idPrefix = "" }: FormState, name: string) =>
  `${idPrefix}field-${name.replaceAll(/[^\w-]/g, "-")}`;

/**
 * Whether a field requests the focus. Every field with an error does, and the browser takes the
 * first visible one, so that the order of errors does not matter. Without errors, it is the field
 * with `autofocus`.
 */
function hasFocus({ errors }: FormState, name: string, asked = false): boolean {
  const isWrong = Object.keys(errors).some((field) => field !== "");
  return isWrong ? errors[name] !== undefined : asked;
}

interface SecretFieldMarkerProps {
  ui: Ui;
  form: FormState;
  name: string;
  label: string;
  /** The element id of the field. */
  id: string;
}

/**
 * Tells the server that a field holds a secret, which is never compared, shown or stored. Without a
 * script, which keeps typed values, it must be typed again after an error in another field.
 */
const SecretFieldMarker = ({ ui, form, name, label, id }: SecretFieldMarkerProps) => (
  <>
    <input type="hidden" name="secret_field" value={`${name}:${label}`} />
    {isLost(form, name) && (
      <p id={`${id}-lost`} class="field-hint no-script">{ui.t("forms.secret_lost")}</p>
    )}
  </>
);

/** Whether a secret was typed into a form that comes back, mostly with errors. */
const isLost = ({ errors, values, isRedrawn }: FormState, name: string): boolean =>
  (isRedrawn || Object.keys(errors).length > 0) && Boolean(values[name]);
