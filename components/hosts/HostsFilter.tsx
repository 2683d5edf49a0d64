import { Button } from "@/components/ui/Button.tsx";
import { SearchField } from "@/components/ui/SearchField.tsx";
import { HOST_QUERY_LENGTH_MAX, type HostsState } from "@/lib/hosts/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { HOST_ORDERS } from "@/lib/hosts/rows.ts";

interface HostsFilterProps {
  ui: Ui;
  /** Complete path of the list. */
  action: string;
  state: HostsState;
}

/**
 * Filter for hosts, applied while typing. On phones, where lists have no headings, it also sorts.
 */
export const HostsFilter = ({ ui, action, state }: HostsFilterProps) => (
  <form method="get" action={action} class="list-filter" role="search" data-stay>
    <SearchField
      id="hosts-filter"
      name="q"
      value={state.q}
      maxLength={HOST_QUERY_LENGTH_MAX}
      label={ui.t("hosts.filter")}
    />
    <select id="hosts-sort" name="sort" aria-label={ui.t("hosts.sort")}>
      {HOST_ORDERS.map((order) => (
        <option value={order} selected={order === state.sort}>
          {ui.t(`hosts.orders.${order}`)}
        </option>
      ))}
    </select>
    {state.isTurned && <input type="hidden" name="order" value="turned" />}
    <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
  </form>
);
