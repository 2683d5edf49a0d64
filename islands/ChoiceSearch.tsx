import { useRef } from "react";
import { findField } from "../lib/base/lists/find_choice.ts";
import { countId } from "../lib/client/choice/find.ts";
import { useChoice } from "../lib/client/choice/use_choice.ts";
import { useLater } from "../lib/client/choice/use_later.ts";
import { islandKey } from "../lib/client/page/island_key.ts";

interface ChoiceSearchProps {
  id: string;
  name: string;
  /** The options that are shown before anything else is searched. */
  options: FoundOption[];
  /** Value and label of the chosen option; empty without one. */
  chosen: { value: string; label: string };
  /** Label of the option that chooses nothing; without it there is none. */
  blank?: string;
  /** Words that the options were searched for. */
  words: string;
  /** Says how many options are shown. */
  count: string;
  /** Label of the search, and the longest text that it takes. */
  search: { label: string; placeholder: string; lengthMax: number };
  autofocus?: boolean;
  describedBy?: string;
  invalid?: boolean;
  required?: boolean;
}

interface FoundOption {
  value: string;
  label: string;
  group?: string;
  /** Whether it is only there because it is chosen. */
  isKept?: boolean;
}

/**
 * One of very many: a search above a select. With its script, both become a combobox that proposes
 * options while someone types. The select stays in the form and holds the choice.
 */
export default function ChoiceSearch(props: ChoiceSearchProps) {
  const { id, name, blank, search, words, invalid, autofocus, required } = props;
  const root = useRef<HTMLDivElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const part = useLater(root, () => import("../components/ui/Combobox.tsx"));
  const choice = useChoice(props, select);
  const aria = { "aria-describedby": props.describedBy, "aria-invalid": invalid || undefined };
  const field = {
    autocomplete: "off",
    spellcheck: false,
    maxLength: search.lengthMax,
    placeholder: part && blank !== undefined ? blank : search.placeholder,
  } as const;
  return (
    <div
      ref={root}
      id={`${id}-search`}
      class="choice-search"
      data-island={islandKey([name, choice.chosen, invalid])}
    >
      {part
        ? (
          <part.Combobox
            {...choice}
            field={{ ...field, ...aria, id, autofocus, "aria-required": required || undefined }}
            label={search.label}
          />
        )
        : (
          <input
            {...field}
            type="search"
            name={findField(name)}
            aria-label={search.label}
            value={words}
          />
        )}
      <select
        ref={select}
        id={part ? undefined : id}
        name={name}
        hidden={part !== null}
        autofocus={part ? undefined : autofocus}
        {...aria}
      >
        {blank !== undefined && <option value="">{blank}</option>}
        {groupsOf(props.options).map(([group, options], n) =>
          group === ""
            ? <Options key={n} options={options} chosen={props.chosen.value} />
            : (
              <optgroup key={n} label={group}>
                <Options options={options} chosen={props.chosen.value} />
              </optgroup>
            )
        )}
      </select>
      {!part && <output id={countId(id)} class="choice-count">{props.count}</output>}
    </div>
  );
}

const Options = ({ options, chosen }: { options: FoundOption[]; chosen: string }) => (
  <>
    {options.map(({ value, label, isKept }, n) => (
      <option key={n} value={value} selected={value === chosen} data-kept={isKept}>{label}</option>
    ))}
  </>
);

/** Returns the options by their groups, in order. */
const groupsOf = (options: FoundOption[]) => [
  ...Map.groupBy(options, ({ group = "" }) => group),
];
