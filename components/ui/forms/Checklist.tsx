import { FIND, findField } from "../../../lib/base/lists/find_choice.ts";
import { FILTER_LENGTH_MAX } from "../../../lib/base/lists/table_state.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Button } from "../Button.tsx";
import { fieldAttributes, type FieldProps } from "./Field.tsx";
import {
  findOptions,
  type FoundOptions,
  isSearched,
  type Option,
  type OptionGroup,
} from "./found_options.ts";
import { SearchField } from "../lists/SearchField.tsx";
import { countText } from "./SearchedChoice.tsx";

interface ChecklistProps extends FieldProps {
  /** Groups are shown side by side, each with its heading. */
  options: readonly (Option | OptionGroup)[];
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
  const words = form.values[findField(name)] ?? "";
  const found = isSearched(options) ? findOptions(options, words, chosen) : null;
  const box = (
    { value, label }: Pick<Option, "value" | "label">,
    count: number,
    isFirst: boolean,
  ) => (
    <label key={count} class="check">
      <input
        id={isFirst ? id : undefined}
        autofocus={isFirst ? autofocus : undefined}
        type="checkbox"
        name={name}
        value={value}
        checked={chosen.has(String(value))}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset
      class={`field ${more}`}
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") ||
        undefined}
    >
      <legend class={required ? "required" : undefined}>{label}</legend>
      {found && <SearchOptions {...{ ui, id, name, label, words, found }} />}
      <div class={scrolls ? "max-h-56 overflow-y-auto" : "checklist"}>
        {(found?.options ?? options).map((entry, n) =>
          "options" in entry
            ? (
              <div key={n} role="group" aria-labelledby={`${id}-group-${n}`}>
                <p id={`${id}-group-${n}`} class="field-hint">{entry.label}</p>
                {entry.options.map((option, m) => box(option, m, n + m === 0))}
              </div>
            )
            : box(entry, n, n === 0)
        )}
      </div>
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint">{hint}</p>}
    </fieldset>
  );
}

interface SearchOptionsProps {
  ui: Ui;
  id: string;
  name: string;
  label: string;
  words: string;
  found: FoundOptions;
}

/** Searches very many options, while people type or by a button. Those that are ticked stay. */
const SearchOptions = ({ ui, id, name, label, words, found }: SearchOptionsProps) => (
  <div class="checklist-search">
    <SearchField
      id={`${id}-find`}
      name={findField(name)}
      value={words}
      label={ui.labelled(ui.t("actions.filter"), label)}
      placeholder={ui.t("actions.filter")}
      maxLength={FILTER_LENGTH_MAX}
    />
    <Button
      name={FIND}
      value={name}
      icon="filter"
      class="no-script"
      formNoValidate
      data-stay
      data-on={findField(name)}
    >
      {ui.t("actions.filter")}
    </Button>
    <output class="text-muted text-sm">{countText(ui, found, words)}</output>
  </div>
);

/** Whether a field is the list `name` or an item of it. */
const isPartOf = (name: string, field: string): boolean =>
  field === name || (field.startsWith(`${name}.`) && /^\d+$/.test(field.slice(name.length + 1)));
