import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import type { References as ReferenceLists } from "../../lib/store/references.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Shell } from "../../lib/web/shell.ts";
import { Title } from "../ui/Page.tsx";
import { References } from "../ui/References.tsx";
import { referenceGroups } from "./reference_groups.ts";

interface ResourceUsesProps {
  ui: Ui;
  shell: Shell;
  noun: Noun;
  item: { name: string };
  references: ReferenceLists;
}

/** Lists what uses a resource. */
export function ResourceUses({ ui, shell, noun, item, references }: ResourceUsesProps) {
  const title = ui.t("references.uses_of", { name: item.name });
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <References
        ui={ui}
        title={title}
        groups={referenceGroups(ui, shell, references)}
        close={ui.href(paths.section(shell.project.id, SECTION_OF[noun]))}
      />
    </>
  );
}
