import { timeZones } from "../../../lib/i18n/time_zone.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";

/**
 * Returns the time zones grouped by their part of the world, so that a city is found by its first
 * letters. Includes `chosen` even if it is an alias of another zone.
 */
export function zoneGroups(ui: Ui, chosen: string) {
  const all = timeZones();
  const zones = chosen === "" || all.includes(chosen) ? all : [chosen, ...all];
  const groups = Map.groupBy(zones, (zone) => zone.includes("/") ? zone.split("/", 1)[0] : "");
  return [...groups].map(([area, names]) => ({
    label: area || ui.t("schedules.no_area"),
    options: names.map((zone) => ({
      value: zone,
      label: zone.replace(`${area}/`, "").replaceAll("_", " "),
    })),
  }));
}
