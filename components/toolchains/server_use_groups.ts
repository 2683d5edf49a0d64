import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ProjectUse } from "../../lib/resources/toolchains/server.ts";
import type { ReferenceGroup } from "../ui/References.tsx";

/** Returns everything that uses a toolchain of the server, by project. */
export const serverUseGroups = (ui: Ui, uses: ProjectUse[]): ReferenceGroup[] =>
  uses.map(({ id, name, isChosen, usedBy: { templates, inventories } }) => ({
    title: name,
    items: [
      ...isChosen
        ? [{ name: ui.t("dashboard.settings"), href: ui.href(paths.section(id, "settings")) }]
        : [],
      ...templates.map((it) => ({ name: it.name, href: ui.href(paths.template(id, it.id)) })),
      ...inventories.map((it) => ({
        name: it.name,
        href: ui.href(paths.item(id, "inventory", it.id)),
      })),
    ],
  }));
