import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import { tableAddress, type TableState } from "../../lib/base/lists/table_state.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { ResourceUse } from "../../lib/uses/schema.ts";
import { LatestTask } from "../tasks/LatestTask.tsx";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { Dash } from "../ui/lists/cells.tsx";
import { referenceGroups } from "./reference_groups.ts";

interface UseColumnsProps {
  shell: Shell;
  noun: Noun;
  uses: ReadonlyMap<number, ResourceUse>;
  /** State of the list, to which a closed task returns. */
  state: TableState;
}

/** Columns with the objects that use a resource, and with the latest task that did. */
export function useColumns<Row extends { id: number; name: string }>(
  ui: Ui,
  { shell, noun, uses, state }: UseColumnsProps,
): ListColumn<Row>[] {
  const projectId = shell.project.id;
  const section = SECTION_OF[noun];
  const here = tableAddress(paths.section(projectId, section), state);
  return [
    {
      id: "uses",
      label: ui.t("references.used_by"),
      kind: "text",
      named: true,
      value: ({ id }) => countOf(uses.get(id)),
      usual: "desc",
      cell: ({ id, name }) => {
        const use = uses.get(id);
        if (!use || countOf(use) === 0) return <Dash />;
        return (
          <Users
            ui={ui}
            shell={shell}
            name={name}
            use={use}
            all={ui.href(`${paths.item(projectId, section, id)}/uses`)}
          />
        );
      },
    },
    {
      id: "last_use",
      label: ui.t("references.last_use"),
      named: true,
      value: ({ id }) => uses.get(id)?.last?.task_id ?? null,
      usual: "desc",
      cell: ({ id }) => {
        const last = uses.get(id)?.last;
        return last ? <LatestTask ui={ui} page={here} id={last.task_id} at={last.at} /> : <Dash />;
      },
    },
  ];
}

const countOf = (use?: ResourceUse): number =>
  use ? Object.values(use.usedBy).reduce((count, users) => count + users.length, 0) : 0;

interface UsersProps {
  ui: Ui;
  shell: Shell;
  /** Name of the resource. */
  name: string;
  use: ResourceUse;
  /** Address of the list of all users. */
  all: string;
}

/** Link to the only object that uses a resource, or to the list of all. */
function Users({ ui, shell, name, use, all }: UsersProps) {
  const groups = referenceGroups(ui, shell, use.usedBy);
  const [{ items: [only] }] = groups;
  if (countOf(use) === 1) {
    return <a class="clamp" title={only.name} href={only.href}>{only.name}</a>;
  }
  const text = ui.list(
    groups.map(({ kind, items }) => ui.t(`references.count.${kind}`, { count: items.length })),
  );
  return (
    <a class="clamp" href={all} data-over="" title={text}>
      {text} <span class="sr-only">{name}</span>
    </a>
  );
}
