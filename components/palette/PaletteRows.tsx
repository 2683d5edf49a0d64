import { Icon } from "../ui/Icon.tsx";
import { Marked } from "../ui/Marked.tsx";
import type { Entry } from "./entries.ts";
import type { RowGroup } from "../../lib/client/palette/rows.ts";

interface RowsProps {
  groups: RowGroup[];
  at: number;
  /** The text to highlight in the rows. */
  found: string;
  busy: boolean;
  label: string;
  open: (row: Entry, inNew: boolean) => void;
}

/** The options of the palette, in groups. */
export function PaletteRows({ groups, at, found, busy, label, open }: RowsProps) {
  let index = 0;
  return (
    <div
      id="palette-list"
      class="palette-list"
      role="listbox"
      aria-label={label}
      aria-busy={busy}
      tabIndex={-1}
    >
      {groups.map((group, n) => (
        <div key={n} role="group" aria-labelledby={`palette-group-${n}`}>
          <div id={`palette-group-${n}`} class="palette-label" role="presentation">
            {group.label}
          </div>
          {group.rows.map((row) => {
            const id = index++;
            return (
              <div
                key={id}
                id={`palette-${id}`}
                class="palette-row"
                role="option"
                aria-selected={id === at}
                onClick={(event) => open(row, event.ctrlKey || event.metaKey)}
              >
                <Icon name={row.icon} />
                <span class="palette-name">
                  <Marked text={row.name} found={found} />
                </span>
                {row.detail && (
                  <span class="palette-detail">
                    <Marked text={row.detail} found={found} />
                  </span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
