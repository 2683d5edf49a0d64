import type { EventObject } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ActivityQuery } from "@/routes/(_pages)/activity.ts";
import { FilterBar, FilterField } from "../ui/lists/FilterBar.tsx";

interface ActivityFilterProps {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  kinds: readonly EventObject[];
  query: ActivityQuery;
  /** Name of the object in the query, if there is one. */
  object?: string;
  people: ReadonlyMap<number, string>;
}

/** Filters the activity by object, person and time. */
export function ActivityFilter({ ui, action, kinds, query, object, people }: ActivityFilterProps) {
  const { kind, user } = query;
  const set = Object.values(query).filter((value) => value !== undefined).length;
  const day = (name: "from" | "to") => (
    <FilterField id={`filter-${name}`} label={ui.t(`history.filter.${name}`)}>
      <input id={`filter-${name}`} type="date" name={name} value={query[name] ?? ""} />
    </FilterField>
  );
  return (
    <FilterBar ui={ui} id="activity" action={action} isFiltered={set > 0} setFieldCount={set}>
      <FilterField id="filter-kind" label={ui.t("activity.filter.kind")}>
        <select id="filter-kind" name="kind">
          <option value="">{ui.t("lists.all")}</option>
          {kinds.map((one) => (
            <option value={one} selected={one === kind}>{ui.t(`activity.kind.${one}`)}</option>
          ))}
        </select>
      </FilterField>
      {query.object !== undefined && (
        <FilterField id="filter-object" label={ui.t("activity.filter.object")}>
          <select id="filter-object" name="object">
            <option value="">{ui.t("lists.all")}</option>
            <option value={query.object} selected>{object || `#${query.object}`}</option>
          </select>
        </FilterField>
      )}
      <FilterField id="filter-user" label={ui.t("activity.filter.user")}>
        <select id="filter-user" name="user">
          <option value="">{ui.t("history.anybody")}</option>
          {[...people].map(([id, name]) => (
            <option key={id} value={id} selected={id === user}>{name}</option>
          ))}
        </select>
      </FilterField>
      {day("from")}
      {day("to")}
    </FilterBar>
  );
}
