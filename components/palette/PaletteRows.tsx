import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/Icon.tsx";
import { CutText } from "./CutText.tsx";
import type { Entry, PaletteProps } from "./entries.ts";
import type { PaletteStore } from "../../lib/client/palette/palette.ts";
import { useComputed } from "../../lib/client/use_computed.ts";

interface RowsProps extends Pick<PaletteProps, "texts"> {
  palette: PaletteStore;
}

/** The options of the palette, in groups. */
export function PaletteRows({ palette, texts }: RowsProps) {
  const found = palette.typed.value;
  let index = 0;
  return (
    <div
      id="palette-list"
      class="palette-list"
      role="listbox"
      aria-label={texts["search.title"]}
      aria-busy={palette.isOld.value}
      tabIndex={-1}
    >
      {palette.groups.value.map((group, n) => (
        <div key={n} role="group" aria-labelledby={`palette-group-${n}`}>
          <div id={`palette-group-${n}`} class="palette-label" role="presentation">
            {group.label}
          </div>
          {group.rows.map((row) => {
            const id = index++;
            return <PaletteRow key={id} {...{ palette, texts, id, row, found }} />;
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
}

/** An option. An option can have no button, so its second action has a key, and a spot to click. */
function PaletteRow({ palette, texts, id, row, found }: RowProps) {
  const option = useRef<HTMLDivElement>(null);
  const isSelected = useComputed(() => palette.at.value === id).value;
  useEffect(() => {
    if (isSelected) option.current!.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const { name, detail, icon, run } = row;
  const runName = texts["search.run"].replace("{{name}}", () => name);
  return (
    <div
      ref={option}
      id={`palette-${id}`}
      class="palette-row"
      role="option"
      aria-selected={isSelected}
      aria-describedby={run && `palette-${id}-run`}
      onClick={(event) => palette.leave(row, event.ctrlKey || event.metaKey ? "new_tab" : "here")}
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
}
