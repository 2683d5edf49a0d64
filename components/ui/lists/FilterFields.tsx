import type { ComponentChildren } from "preact";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { FilterField } from "./FilterBar.tsx";
import { isSearched, type Option } from "../forms/found_options.ts";
import { SearchedChoice } from "../forms/SearchedChoice.tsx";

interface FilterChoiceProps {
  ui: Ui;
  name: string;
  chosen: unknown;
  /** Locale key of the option without a filter. */
  all: string;
  /** The other options: see `FilterOptions`. */
  children: ComponentChildren;
}

/** A select of a history's filter. */
export const FilterChoice = ({ ui, name, chosen, all, children }: FilterChoiceProps) => (
  <FilterField id={`filter-${name}`} label={ui.t(`history.filter.${name}`)}>
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
    <FilterField id={id} label={label}>
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
