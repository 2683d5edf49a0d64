import type { RecordedPerson } from "../../lib/base/person.ts";
import type { EventObject } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ActivityQuery } from "@/routes/(_pages)/activity.ts";
import { FilterBar, FilterField } from "../ui/lists/FilterBar.tsx";
import { filterChips, FilterChoice, FilterDays, FilterOptions } from "../ui/lists/FilterFields.tsx";

interface ActivityFilterProps {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  kinds: readonly EventObject[];
  query: ActivityQuery;
  /** Name of the object in the query, if there is one. */
  object?: string;
  people: ReadonlyMap<number, RecordedPerson>;
}

/** Filters the activity by object, person and time. */
export function ActivityFilter({ ui, action, kinds, query, object, people }: ActivityFilterProps) {
  const { kind, user, from, to } = query;
  const named = new Map([...people].map(([id, person]) => [id, ui.person(person)]));
  return (
    <FilterBar
      ui={ui}
      id="activity"
      action={action}
      isFiltered={Object.values(query).some((value) => value !== undefined)}
      chips={filterChips(ui, action, query, {
        user: user && (named.get(user) ?? `#${user}`),
        from: from && ui.day(from),
        to: to && ui.day(to),
      })}
      folded={
        <>
          <FilterChoice ui={ui} name="user" chosen={user} all="history.anybody">
            <FilterOptions of={named} chosen={user} />
          </FilterChoice>
          <FilterDays ui={ui} query={query} />
        </>
      }
    >
      <FilterField id="filter-kind" label={ui.t("activity.filter.kind")} isPlain>
        <select id="filter-kind" name="kind">
          <option value="">{ui.t("activity.everything")}</option>
          {kinds.map((one) => (
            <option value={one} selected={one === kind}>{ui.t(`activity.kind.${one}`)}</option>
          ))}
        </select>
      </FilterField>
      {query.object !== undefined && (
        <FilterField id="filter-object" label={ui.t("activity.filter.object")} isPlain>
          <select id="filter-object" name="object">
            <option value="">{ui.t("activity.everything")}</option>
            <option value={query.object} selected>{object || `#${query.object}`}</option>
          </select>
        </FilterField>
      )}
    </FilterBar>
  );
}
