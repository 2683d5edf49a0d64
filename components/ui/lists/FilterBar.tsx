import type { ComponentChildren } from "preact";
import { FILTER_LENGTH_MAX } from "../../../lib/base/lists/table_state.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Button, ButtonLink } from "../Button.tsx";
import { Icon } from "../Icon.tsx";
import { SearchField } from "./SearchField.tsx";

interface FilterBarProps {
  ui: Ui;
  /** Begins the ids of the form, its search field and its further elements. */
  id: string;
  /** Complete address of the list without a filter. */
  action: string;
  /** Field for words, if the list can be searched. */
  search?: { value: string; label: string; name?: string; maxLength?: number };
  /** Shown on phones, where lists have no headings. */
  sort?: { options: { value: string; label: string }[]; value: string; label?: string };
  /** Further parameters that the form keeps. */
  kept?: Record<string, string | undefined>;
  isFiltered: boolean;
  /** Address without the filter, if it differs from `action` by an order. */
  clear?: string;
  /** Number of rows without the filter. The bar of a short list is left out. */
  rows?: number;
  /** Result of the filter, such as "3 of 40". */
  count?: string;
  /** Further fields: see `FilterField`. */
  children?: ComponentChildren;
  /** Number of further fields that are set. With it, phones fold them behind a button. */
  setFieldCount?: number;
}

/** Lists with fewer rows are read faster than they are filtered. */
const FILTERED_FROM = 8;

/**
 * The filter of a list. It applies while people type or choose; without a script, by its button.
 */
export function FilterBar(props: FilterBarProps) {
  const { ui, id, action, search, sort, kept = {}, isFiltered, rows = Infinity } = props;
  if (rows < FILTERED_FROM && !isFiltered) return null;
  return (
    <form method="get" id={`${id}-bar`} action={action} class="filter-bar" role="search" data-stay>
      {search && (
        <SearchField
          id={`${id}-filter`}
          name={search.name ?? "q"}
          value={search.value}
          maxLength={search.maxLength ?? FILTER_LENGTH_MAX}
          label={search.label}
        />
      )}
      {props.setFieldCount === undefined
        ? props.children
        : <FoldedFields ui={ui} setCount={props.setFieldCount}>{props.children}</FoldedFields>}
      {sort && (
        <select id={`${id}-sort`} name="sort" aria-label={sort.label ?? ui.t("lists.sort")}>
          {sort.options.map(({ value, label }) => (
            <option value={value} selected={value === sort.value}>{label}</option>
          ))}
        </select>
      )}
      {Object.entries(kept).map(([name, value], n) =>
        value && <input key={n} type="hidden" name={name} value={value} />
      )}
      <div class="filter-buttons">
        <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
        {isFiltered && (
          <ButtonLink kind="quiet" icon="close" href={props.clear ?? action} stays>
            {ui.t("lists.clear_filter")}
          </ButtonLink>
        )}
      </div>
      <output id={`${id}-count`} class="text-muted text-sm">{props.count}</output>
    </form>
  );
}

/** Fields that phones show behind a button, with the number of those that are set. */
const FoldedFields = (
  { ui, setCount, children }: { ui: Ui; setCount: number; children: ComponentChildren },
) => (
  <details class="filter-fields">
    <summary class="button button-secondary">
      <Icon name="filter" />
      {ui.t("actions.filter")}
      {setCount > 0 && ` (${ui.number(setCount)})`}
    </summary>
    {children}
  </details>
);

interface FilterFieldProps {
  /** Id of the field. */
  id: string;
  label: string;
  children: ComponentChildren;
}

/** A labelled field of a filter. */
export const FilterField = ({ id, label, children }: FilterFieldProps) => (
  <div class="filter">
    <label for={id}>{label}</label>
    {children}
  </div>
);
