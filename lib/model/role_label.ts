import { isFixedRole } from "./roles.ts";
import type { Ui } from "../i18n/ui.ts";
import { visible } from "../i18n/visible.ts";

/** Returns the name of a role as people read it. A role that is gone has only its slug left. */
export const roleLabel = (ui: Ui, slug: string, name?: string): string =>
  isFixedRole(slug) || slug === "admin" ? ui.t(`roles.${slug}`) : visible(name ?? slug);
