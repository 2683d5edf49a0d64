import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ProjectUse } from "../../lib/resources/toolchains/server.ts";
import { Title } from "../ui/Page.tsx";
import { References } from "../ui/References.tsx";

interface ServerToolchainUsesProps {
  ui: Ui;
  title: string;
  uses: ProjectUse[];
  /** The reason why it cannot be deleted. */
  sentence?: string;
}

/** Everything that uses a toolchain of the server, by project. */
export const ServerToolchainUses = ({ ui, uses, ...more }: ServerToolchainUsesProps) => (
  <>
    <Title ui={ui} parts={[more.title, ui.t("admin.title")]} />
    <References
      ui={ui}
      {...more}
      groups={uses.map(({ id, name, isChosen, usedBy: { templates, inventories } }) => ({
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
      }))}
      close={ui.href(paths.serverToolchains())}
    />
  </>
);
