import type { Ui } from "../../lib/i18n/ui.ts";
import type { ListedInventory } from "../../lib/uses/schema.ts";
import { Dash } from "../ui/lists/cells.tsx";

/** Number of hosts of an inventory, if it is known. */
export function HostCount({ ui, inventory }: { ui: Ui; inventory: ListedInventory }) {
  const { hosts, is_more, counted_by: id } = inventory;
  if (hosts === null) return <Dash />;
  const number = is_more ? ui.t("lists.at_least", { number: hosts }) : ui.number(hosts);
  const origin = id === null
    ? undefined
    : id === "test"
    ? ui.t("inventories.hosts_of_test")
    : ui.t("inventories.hosts_of_task", { id });
  return <span title={origin}>{number}</span>;
}
