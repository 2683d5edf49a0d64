import type { EventObject } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";

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
    <form id="activity-filter" method="get" action={action} class="filters" data-stay>
      <div class="filter">
        <label for="filter-kind">{ui.t("activity.filter.kind")}</label>
        <select id="filter-kind" name="kind">
          <option value="">{ui.t("lists.all")}</option>
          {kinds.map((one) => (
            <option value={one} selected={one === kind}>{ui.t(`activity.kind.${one}`)}</option>
          ))}
        </select>
      </div>
      <div class="filter">
        <label for="filter-user">{ui.t("activity.filter.user")}</label>
        <select id="filter-user" name="user">
          <option value="">{ui.t("history.anybody")}</option>
          {[...people].map(([id, name]) => (
            <option key={id} value={id} selected={id === user}>{name}</option>
          ))}
        </select>
      </div>
      <div class="filter-buttons">
        {(kind || user) && (
          <ButtonLink kind="quiet" icon="close" href={action} stays>
            {ui.t("history.clear")}
          </ButtonLink>
        )}
        <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
      </div>
    </form>
  );
}
