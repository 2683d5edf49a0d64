import type { EventObject } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { FilterBar, FilterField } from "../ui/FilterBar.tsx";

interface ActivityFilterProps {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  kinds: readonly EventObject[];
  kind?: EventObject;
  people: ReadonlyMap<number, string>;
  user?: number;
}

/** Filters the activity by kind of object or by person. */
export function ActivityFilter({ ui, action, kinds, kind, people, user }: ActivityFilterProps) {
  return (
    <FilterBar ui={ui} id="activity" action={action} isFiltered={Boolean(kind || user)}>
      <FilterField id="filter-kind" label={ui.t("activity.filter.kind")}>
        <select id="filter-kind" name="kind">
          <option value="">{ui.t("lists.all")}</option>
          {kinds.map((one) => (
            <option value={one} selected={one === kind}>{ui.t(`activity.kind.${one}`)}</option>
          ))}
        </select>
      </FilterField>
      <FilterField id="filter-user" label={ui.t("activity.filter.user")}>
        <select id="filter-user" name="user">
          <option value="">{ui.t("history.anybody")}</option>
          {[...people].map(([id, name]) => (
            <option key={id} value={id} selected={id === user}>{name}</option>
          ))}
        </select>
      </FilterField>
    </FilterBar>
  );
}
