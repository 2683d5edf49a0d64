import type { UseComboboxReturnValue } from "downshift";
import { memo } from "react";
import { Icon } from "../ui/Icon.tsx";
import { keepFromList } from "../ui/Combobox.tsx";
import { CutText } from "./CutText.tsx";
import type { Entry, PaletteProps } from "./entries.ts";
import type { PaletteStore } from "../../lib/client/palette/palette.ts";

/** Id of a row's element. */
export const rowId = (index: number) => `palette-${index}`;

interface RowsProps
  extends Pick<PaletteProps, "texts">, Pick<UseComboboxReturnValue<Entry>, "getItemProps"> {
  palette: PaletteStore;
}

/** The options of the palette, in groups. */
export function PaletteRows(
  { palette, texts, at, getMenuProps, getItemProps }:
    & RowsProps
    & Pick<UseComboboxReturnValue<Entry>, "getMenuProps">
    & { at: number },
) {
  const found = palette.typed.value;
  let index = 0;
  return (
    <div
      {...getMenuProps({ "aria-label": texts["search.title"], "aria-busy": palette.isOld.value })}
      class="palette-list"
      tabIndex={-1}
    >
      {palette.groups.value.map((group, n) => (
        <div key={n} role="group" aria-labelledby={`palette-group-${n}`}>
          <div id={`palette-group-${n}`} class="palette-label" role="presentation">
            {group.label}
          </div>
          {group.rows.map((row) => {
            const id = index++;
            const isSelected = id === at;
            return (
              <PaletteRow
                key={id}
                {...{ palette, texts, getItemProps, id, row, found, isSelected }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface RowProps extends RowsProps {
  id: number;
  row: Entry;
  /** The typed text. */
  found: string;
  isSelected: boolean;
}

/** An option. An option can have no button, so its second action has a key, and a spot to click. */
const PaletteRow = memo(function PaletteRow(
  { palette, texts, getItemProps, id, row, found, isSelected }: RowProps,
) {
  const { name, detail, icon, run } = row;
  const runName = texts["search.run"].replace("{{name}}", () => name);
  return (
    <div
      {...getItemProps({
        item: row,
        index: id,
        "aria-selected": isSelected,
        "aria-describedby": run && `palette-${id}-run`,
        onClick(event: MouseEvent) {
          keepFromList(event);
          palette.leave(row, event.ctrlKey || event.metaKey ? "new_tab" : "here");
        },
      })}
      class="palette-row"
    >
      <Icon name={icon} />
      <CutText text={name} found={found} class="palette-name" />
      {detail && <CutText text={detail} found={found} class="palette-detail" />}
      {run && (
        <span
          class="palette-run"
          title={runName}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            palette.leave(row, "run");
          }}
        >
          <Icon name="play" />
          {texts["start_task.run.task"]} <kbd>⇧↵</kbd>
          <span id={`palette-${id}-run`} class="sr-only">{runName}</span>
        </span>
      )}
    </div>
  );
});
