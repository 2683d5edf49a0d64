import ChoiceSearch from "../../../islands/ChoiceSearch.tsx";
import { FIND } from "../../../lib/base/lists/find_choice.ts";
import { FILTER_LENGTH_MAX } from "../../../lib/base/lists/table_state.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Button } from "../Button.tsx";
import type { fieldAttributes } from "./Field.tsx";
import { findOptions, type FoundOptions, type Option, type OptionGroup } from "./found_options.ts";

interface SearchedChoiceProps {
  ui: Ui;
  name: string;
  label: string;
  options: readonly (Option | OptionGroup)[];
  /** Value of the chosen option; empty without one. */
  chosen: string;
  blank?: string;
  /** Words that the options are searched for. */
  words: string;
  field:
    & Pick<ReturnType<typeof fieldAttributes>, "id">
    & Partial<ReturnType<typeof fieldAttributes>>;
  required?: boolean;
  /** Whether the form has no other button that shows it again. */
  hasButton?: boolean;
}

/** One of very many. Without a script, a button shows the options with the typed words. */
export function SearchedChoice(props: SearchedChoiceProps) {
  const { ui, name, label, options, chosen, blank, words, field, required, hasButton } = props;
  const found = findOptions(options, words, new Set([chosen]));
  const placeholder = ui.t("actions.filter");
  return (
    <>
      <ChoiceSearch
        id={field.id}
        name={name}
        options={found.options}
        chosen={{
          value: chosen,
          label: found.options.find(({ value }) => value === chosen)?.label ?? "",
        }}
        blank={blank}
        words={words}
        count={countText(ui, found, words)}
        search={{
          label: ui.labelled(placeholder, label),
          placeholder,
          lengthMax: FILTER_LENGTH_MAX,
        }}
        autofocus={field.autofocus}
        describedBy={field["aria-describedby"]}
        invalid={field["aria-invalid"] === "true" || undefined}
        required={required}
      />
      {hasButton && (
        <Button
          name={FIND}
          value={name}
          icon="filter"
          class="no-script"
          formNoValidate
          formaction={`#${field.id}`}
          data-stay
        >
          {placeholder}
        </Button>
      )}
    </>
  );
}

/** Says how many of all options are shown, or that none has the words. */
export const countText = (ui: Ui, { shown, all }: FoundOptions, words: string): string =>
  shown === 0 && words.trim() !== ""
    ? ui.t("search.nothing", { query: words.trim() })
    : ui.t("lists.shown_of", { rows: shown, total: all });
