import type { Ui } from "@/lib/i18n/ui.ts";
import { timeZones } from "@/lib/i18n/time_zone.ts";

/**
 * The time zones by their part of the world: a place is found by its first letters. `chosen` is
 * among them also when it is another name of one of them.
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
