import type { ComponentChildren } from "preact";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { type FilterChip, FilterField } from "./FilterBar.tsx";
import { searchOf } from "../../../lib/base/lists/list_query.ts";
import { isSearched, type Option } from "../forms/found_options.ts";
import { SearchedChoice } from "../forms/SearchedChoice.tsx";

interface FilterChoiceProps {
  ui: Ui;
  name: string;
  chosen: unknown;
  /** See `FilterField`. */
  isPlain?: boolean;
  /** Locale key of the option without a filter. */
  all: string;
  /** The other options: see `FilterOptions`. */
  children: ComponentChildren;
}

/** A select of a history's filter. */
export const FilterChoice = ({ ui, name, chosen, isPlain, all, children }: FilterChoiceProps) => (
  <FilterField id={`filter-${name}`} label={ui.t(`history.filter.${name}`)} isPlain={isPlain}>
    <select id={`filter-${name}`} name={name}>
      <option value="" selected={chosen === undefined}>{ui.t(all)}</option>
      {children}
    </select>
  </FilterField>
);

interface FilterSelectProps extends Omit<FilterChoiceProps, "children"> {
  label?: string;
  options: readonly Option[];
  /** Words that the options are searched for, if there are very many. */
  words: string;
}

/** A select of a filter that may have very many options. */
export function FilterSelect(props: FilterSelectProps) {
  const { ui, name, chosen, all, options, words } = props;
  const label = props.label ?? ui.t(`history.filter.${name}`);
  const id = `filter-${name}`;
  return (
    <FilterField id={id} label={label} isPlain={props.isPlain}>
      {isSearched(options)
        ? (
          <SearchedChoice
            {...{ ui, name, label, options, words }}
            chosen={chosen === undefined ? "" : String(chosen)}
            blank={ui.t(all)}
            field={{ id }}
          />
        )
        : (
          <select id={id} name={name}>
            <option value="" selected={chosen === undefined}>{ui.t(all)}</option>
            <FilterOptions of={options.map(({ value, label }) => [value, label])} chosen={chosen} />
          </select>
        )}
    </FilterField>
  );
}

interface FilterOptionsProps {
  /** Values with their labels. */
  of: Iterable<readonly [number | string, string]>;
  chosen: unknown;
}

export const FilterOptions = ({ of, chosen }: FilterOptionsProps) => (
  <>
    {[...of].map(([value, label], n) => (
      <option key={n} value={value} selected={value === chosen}>{label}</option>
    ))}
  </>
);

interface FilterDaysProps {
  ui: Ui;
  query: { from?: string; to?: string };
}

/** The first and the last day that a history shows. */
export const FilterDays = ({ ui, query }: FilterDaysProps) => (
  <>
    {(["from", "to"] as const).map((name, n) => (
      <FilterField key={n} id={`filter-${name}`} label={ui.t(`history.filter.${name}`)}>
        <input id={`filter-${name}`} type="date" name={name} value={query[name] ?? ""} />
      </FilterField>
    ))}
  </>
);

/** Checkboxes for any number of statuses, labelled by the keys that begin with `names`. */
export const FilterStatuses = (
  { ui, of, names, chosen = [] }: {
    ui: Ui;
    of: readonly string[];
    names: string;
    chosen?: readonly string[];
  },
) => (
  <fieldset class="filter-checks">
    <legend>{ui.t("history.filter.status")}</legend>
    {of.map((status, n) => (
      <label key={n} class="check">
        <input
          id={`filter-status-${status}`}
          type="checkbox"
          name="status"
          value={status}
          checked={chosen.includes(status)}
        />
        <span>{ui.t(`${names}.${status}`)}</span>
      </label>
    ))}
  </fieldset>
);

/** Returns chips for the parts of a query that are set. `texts` has them in words, by name. */
export const filterChips = (
  ui: Ui,
  action: string,
  query: object,
  texts: Record<string, string | 0 | undefined>,
): FilterChip[] =>
  Object.entries(texts).flatMap(([name, value]) => {
    if (!value) return [];
    const rest = searchOf({ ...query, [name]: undefined });
    const href = rest.size > 0 ? `${action}?${rest}` : action;
    return { text: ui.labelled(ui.t(`history.filter.${name}`), value), href };
  });
