import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { References as ReferenceLists } from "../../lib/store/references.ts";
import { Confirm } from "../ui/forms/Confirm.tsx";
import { Title } from "../ui/Page.tsx";
import { References } from "../ui/References.tsx";
import { referenceGroups } from "./reference_groups.ts";

interface DeleteResourceProps {
  ui: Ui;
  shell: Shell;
  noun: Noun;
  item: { id: number; name: string };
  references: ReferenceLists;
}

/** Asks before a resource is deleted, or lists what prevents its deletion. */
export function DeleteResource({ ui, shell, noun, item, references }: DeleteResourceProps) {
  const { id: projectId, name: projectName } = shell.project;
  const section = SECTION_OF[noun];
  const list = ui.href(paths.section(projectId, section));
  const groups = referenceGroups(ui, shell, references);
  const title = ui.t(`resources.${noun}.delete`);
  return (
    <>
      <Title ui={ui} parts={[title, item.name, projectName]} />
      {groups.length > 0
        ? (
          <References
            ui={ui}
            title={ui.t(`resources.${noun}.cannot_delete`)}
            sentence={ui.t("references.sentence", { name: item.name })}
            groups={groups}
            close={list}
          />
        )
        : (
          <Confirm
            ui={ui}
            title={title}
            question={ui.t(`resources.${noun}.question`, { name: item.name })}
            action={`${ui.href(paths.item(projectId, section, item.id))}/delete`}
            cancel={list}
            yes={ui.t("actions.delete")}
          />
        )}
    </>
  );
}
