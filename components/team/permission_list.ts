import type { Permission } from "@/lib/access/permissions.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Returns what a role may do, in one line. */
export const permissionList = (ui: Ui, granted: readonly Permission[]): string =>
  granted.length === 0
    ? ui.t("permissions.none")
    : ui.list(granted.map((permission) => ui.t(`permissions.${permission}`)));
