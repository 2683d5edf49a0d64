import { useCombobox } from "downshift";
import { type FormEvent, useEffect, useMemo, useRef } from "react";
import "../ui/all_icons.ts";
import { IconButton } from "../ui/Button.tsx";
import { keepFromList, nextState } from "../ui/Combobox.tsx";
import { Icon } from "../ui/Icon.tsx";
import type { Entry, PaletteProps } from "./entries.ts";
import { PaletteRows, rowId } from "./PaletteRows.tsx";
import { addBackEntry } from "../../lib/client/page/back_entry.ts";
import { followBackdrop } from "../../lib/client/page/backdrop.ts";
import { openEntry } from "../../lib/client/palette/open_entry.ts";
import { createPalette, type PaletteStore } from "../../lib/client/palette/palette.ts";

/** A combobox: a search field and a list of options. The focus stays in the field. */
export function PaletteDialog({ onClose, ...props }: PaletteProps & { onClose: () => void }) {
  const { texts } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const entry = useRef<() => Promise<void>>();
  const close = () => dialog.current!.close();
  const palette = useMemo(() =>
    createPalette(props, (row, way) => {
      close();
      entry.current!().then(() => openEntry(props.projectId, row, way)).catch(reportError);
    }), []);

  useEffect(() => {
    dialog.current!.showModal();
    followBackdrop(dialog.current!, () => dialog.current, close);
    entry.current = addBackEntry(close);
    return palette.open();
  }, []);

  const closed = () => {
    entry.current!().catch(reportError);
    onClose();
  };

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts["search.title"]}
      onClose={closed}
    >
      <PaletteSearch {...props} palette={palette} close={close} />
      <PaletteStatus palette={palette} />
    </dialog>
  );
}

interface PaletteSearchProps extends Pick<PaletteProps, "texts" | "search"> {
  palette: PaletteStore;
  close(): void;
}

/** The field and the list below it, which is always open. */
function PaletteSearch({ palette, search, texts, close }: PaletteSearchProps) {
  const rows = palette.rows.value;
  const { highlightedIndex, getInputProps, getMenuProps, getItemProps } = useCombobox<Entry>({
    items: rows,
    inputId: "palette-text",
    menuId: "palette-list",
    getItemId: rowId,
    isOpen: true,
    inputValue: palette.typed.value,
    initialHighlightedIndex: 0,
    defaultHighlightedIndex: 0,
    // The list stays open, and its row selected.
    stateReducer: (state, change) =>
      change.type === useCombobox.stateChangeTypes.InputBlur ? state : nextState(state, change),
  });
  const at = Math.min(highlightedIndex, rows.length - 1);
  return (
    <>
      <div class="palette-field">
        <Icon name="search" />
        <input
          {...getInputProps({
            type: "text",
            "aria-activedescendant": rowId(at),
            "aria-label": texts["search.title"],
            placeholder: texts[search ? "search.placeholder" : "search.places"],
            maxLength: 200,
            spellcheck: false,
            onInput: (event: FormEvent<HTMLInputElement>) =>
              palette.type(event.currentTarget.value),
            onKeyDown: (event: KeyboardEvent) => press(palette, at, event),
          })}
        />
        <IconButton type="button" icon="close" label={texts["actions.close"]} onClick={close} />
      </div>
      <PaletteRows {...{ palette, texts, at, getMenuProps, getItemProps }} />
    </>
  );
}

/** Opens the selected row on Enter. Escape closes the dialog, and Home and End move in the text. */
function press(palette: PaletteStore, at: number, event: KeyboardEvent): void {
  if (event.key === "Enter" && !event.isComposing) {
    const inNewTab = event.ctrlKey || event.metaKey;
    palette.choose(at, event.shiftKey ? "run" : inNewTab ? "new_tab" : "here");
    event.preventDefault();
  }
  if (!event.key.startsWith("Arrow")) keepFromList(event);
}

const PaletteStatus = ({ palette }: { palette: PaletteStore }) => (
  <p class="palette-told" role="status">{palette.announcement.value}</p>
);
