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
  /** Fields behind a button, so that the bar stays one line. */
  folded?: ComponentChildren;
  /** The values that are set, for a bar with folded fields. */
  chips?: FilterChip[];
}

/** A value that is set, such as "Status: Failed", and the complete address without it. */
export interface FilterChip {
  text: string;
  href: string;
}

/** Lists with fewer rows are read faster than they are filtered. */
const FILTERED_FROM = 8;

/**
 * The filter of a list. It applies while people type or choose; without a script, by its button.
 */
export function FilterBar(props: FilterBarProps) {
  const { ui, id, action, search, sort, kept = {}, isFiltered, rows = Infinity } = props;
  const { folded, chips = [] } = props;
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
      {props.children}
      {folded && <FoldedFields ui={ui}>{folded}</FoldedFields>}
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
        <Button icon={folded ? "check" : "filter"} class="no-script">
          {ui.t(folded ? "actions.apply" : "actions.filter")}
        </Button>
        {chips.map(({ text, href }, n) => (
          <a
            key={n}
            class="chip chip-neutral filter-chip"
            href={href}
            aria-label={ui.t("lists.remove_filter", { filter: text })}
            title={text}
            data-stay
          >
            <span class="clamp">{text}</span>
            <Icon name="close" />
          </a>
        ))}
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

const FoldedFields = ({ ui, children }: { ui: Ui; children: ComponentChildren }) => (
  <details class="filter-fields">
    <summary class="button button-secondary">
      <Icon name="filter" />
      {ui.t("actions.filter")}
    </summary>
    <div class="filter-panel">{children}</div>
  </details>
);

interface FilterFieldProps {
  /** Id of the field. */
  id: string;
  label: string;
  /** Whether the label is only read out, because the field's values say what they are. */
  isPlain?: boolean;
  children: ComponentChildren;
}

/** A labelled field of a filter. */
export const FilterField = ({ id, label, isPlain, children }: FilterFieldProps) => (
  <div class="filter">
    <label for={id} class={isPlain ? "sr-only" : undefined}>{label}</label>
    {children}
  </div>
);
