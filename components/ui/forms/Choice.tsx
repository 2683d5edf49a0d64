import { findField } from "../../../lib/base/lists/find_choice.ts";
import { oncePerLanguage, sortByName } from "../../../lib/i18n/by_name.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";
import { onlyOne } from "../../../lib/web/forms/only_choices.ts";
import { isOfStored } from "./Conflict.tsx";
import { fieldAttributes, FieldFrame, fieldId, type FieldProps } from "./Field.tsx";
import { isSearched, type Option, type OptionGroup } from "./found_options.ts";
import { Icon, type IconName } from "../Icon.tsx";
import { SearchedChoice } from "./SearchedChoice.tsx";

/** Options for objects with names, in the reader's order. */
export const namedOptions = ({ language }: Ui, rows: readonly Named[]): readonly Option[] =>
  optionsOf(language, rows);

const optionsOf = oncePerLanguage((language, rows: readonly Named[]): readonly Option[] =>
  sortByName(language, rows).map(({ id, name }) => ({ value: id, label: name }))
);

interface Named {
  id: number;
  name: string;
}

type SelectProps = FieldProps & {
  options: readonly (Option | OptionGroup)[];
  /** Label of the blank option; without it there is none. */
  blank?: string;
  /** Whether there are never more options, so that they are all listed. */
  isFixed?: boolean;
};

/** One of several, from a list. A new form fills in the only choice of a required field. */
export function Select({ options, blank, isFixed, class: more, hint, ...props }: SelectProps) {
  const { form, name, required, disabled } = props;
  const chosen = form.values[name] || (required && onlyValue(form, name, options)) || "";
  if (!isFixed && isSearched(options)) {
    return (
      <FieldFrame {...props} hint={hint} class={more}>
        <SearchedChoice
          {...props}
          {...{ options, blank, chosen }}
          field={fieldAttributes({ ...props, hint })}
          words={form.values[findField(name)] ?? ""}
          hasButton
        />
      </FieldFrame>
    );
  }
  return (
    <FieldFrame {...props} hint={hint} class={more}>
      <select {...fieldAttributes({ ...props, hint })} required={required} disabled={disabled}>
        {blank !== undefined && <option value="">{blank}</option>}
        {options.map((entry, n) =>
          "options" in entry
            ? (
              <optgroup key={n} label={entry.label}>
                {entry.options.map((option, n) => (
                  <SelectOption key={n} {...option} chosen={chosen} />
                ))}
              </optgroup>
            )
            : <SelectOption key={n} {...entry} chosen={chosen} />
        )}
      </select>
    </FieldFrame>
  );
}

/**
 * Returns the only value of a field in a new form. A stored object does not change because its form
 * was opened, and a refused value stays as it was sent.
 */
function onlyValue(form: FormState, name: string, options: SelectProps["options"]): string {
  if (isOfStored(form) || form.errors[name]) return "";
  const all = options.flatMap((entry) => "options" in entry ? entry.options : entry);
  const only = onlyOne(all.filter(({ disabled }) => !disabled));
  return only ? String(only.value) : "";
}

const SelectOption = ({ value, label, lang, disabled, chosen }: Option & { chosen: string }) => (
  <option value={value} selected={String(value) === chosen} disabled={disabled} lang={lang}>
    {label}
  </option>
);

/** Yes or no. Sends "true" when ticked, and nothing otherwise. */
export function Checkbox(
  { ui, form, name, label, hint, autofocus, disabled, class: more = "" }: FieldProps,
) {
  const id = fieldId(form, name);
  const error = form.errors[name];
  return (
    <div class={`field ${more}`}>
      <label class="check">
        <input
          {...fieldAttributes({ form, name, hint, autofocus })}
          type="checkbox"
          value="true"
          checked={(form.values[name] ?? "") !== "" && form.values[name] !== "false"}
          disabled={disabled}
        />
        <span>{label}</span>
      </label>
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint pl-7">{hint}</p>}
    </div>
  );
}

type SegmentsProps = FieldProps & { options: (Option & { icon?: IconName })[] };

/** One of a few, side by side: radio buttons that look like a segmented control. */
export function Segments(
  { ui, form, name, label, options, required, hint, class: more = "" }: SegmentsProps,
) {
  const { id, autofocus } = fieldAttributes({ form, name });
  const chosen = form.values[name] ?? "";
  const error = form.errors[name];
  return (
    <fieldset
      class={`field ${more}`}
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") ||
        undefined}
    >
      <legend class={required ? "required" : undefined}>{label}</legend>
      <div class="segments">
        {options.map(({ value, label, icon, disabled }, index) => (
          <label>
            <input
              id={index === 0 ? id : undefined}
              autofocus={index === 0 ? autofocus : undefined}
              type="radio"
              name={name}
              value={value}
              checked={String(value) === chosen}
              required={required}
              disabled={disabled}
            />
            <span>
              {icon && <Icon name={icon} />}
              {label}
            </span>
          </label>
        ))}
      </div>
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint">{hint}</p>}
    </fieldset>
  );
}
