import { fieldAttributes, type FieldProps } from "./Field.tsx";
import type { Option } from "./Choice.tsx";

interface ChecklistProps extends FieldProps {
  options: Option[];
  /** Whether there can be so many that the list gets a height and scrolls. */
  scrolls?: boolean;
}

/** Any number of several, each with a checkbox. */
export function Checklist(
  { ui, form, name, label, options, scrolls, required, hint, class: more = "" }: ChecklistProps,
) {
  const { id, autofocus } = fieldAttributes({ form, name });
  const chosen = new Set(
    Object.entries(form.values).filter(([field]) => isPartOf(name, field)).map(([, value]) =>
      value
    ),
  );
  const error = form.errors[name];
  return (
    <fieldset
      class={`field ${more}`}
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") ||
        undefined}
    >
      <legend class={required ? "required" : undefined}>{label}</legend>
      <div class={scrolls ? "max-h-56 overflow-y-auto" : undefined}>
        {options.map(({ value, label }, n) => (
          <label key={n} class="check">
            <input
              id={n === 0 ? id : undefined}
              autofocus={n === 0 ? autofocus : undefined}
              type="checkbox"
              name={name}
              value={value}
              checked={chosen.has(String(value))}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint">{hint}</p>}
    </fieldset>
  );
}

/** Whether a field is the list `name` or an item of it. */
const isPartOf = (name: string, field: string): boolean =>
  field === name || (field.startsWith(`${name}.`) && /^\d+$/.test(field.slice(name.length + 1)));
