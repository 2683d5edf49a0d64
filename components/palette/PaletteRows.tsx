import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/Icon.tsx";
import { Highlighted } from "../ui/Highlighted.tsx";
import type { Entry } from "./entries.ts";
import type { PaletteStore } from "../../lib/client/palette/palette.ts";
import { useComputed } from "../../lib/client/use_computed.ts";

interface RowsProps {
  palette: PaletteStore;
  label: string;
}

/** The options of the palette, in groups. */
export function PaletteRows({ palette, label }: RowsProps) {
  const typed = palette.typed.value;
  let index = 0;
  return (
    <div
      id="palette-list"
      class="palette-list"
      role="listbox"
      aria-label={label}
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
            return (
              <PaletteRow key={id} palette={palette} id={id} row={row}>
                <Icon name={row.icon} />
                <span class="palette-name">
                  <Highlighted text={row.name} found={typed} />
                </span>
                {row.detail && (
                  <span class="palette-detail">
                    <Highlighted text={row.detail} found={typed} />
                  </span>
                )}
              </PaletteRow>
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface RowProps {
  palette: PaletteStore;
  id: number;
  row: Entry;
  children: ComponentChildren;
}

/** An option. Its content is not rendered again when another one is selected. */
function PaletteRow({ palette, id, row, children }: RowProps) {
  const option = useRef<HTMLDivElement>(null);
  const isSelected = useComputed(() => palette.at.value === id).value;
  useEffect(() => {
    if (isSelected) option.current!.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <div
      ref={option}
      id={`palette-${id}`}
      class="palette-row"
      role="option"
      aria-selected={isSelected}
      onClick={(event) => palette.leave(row, event.ctrlKey || event.metaKey)}
    >
      {children}
    </div>
  );
}
