import { useEffect, useMemo, useRef } from "preact/hooks";
import { IconButton } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import type { PaletteProps } from "./entries.ts";
import { PaletteRows } from "./PaletteRows.tsx";
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
      <div class="palette-field">
        <Icon name="search" />
        <PaletteField
          palette={palette}
          label={texts["search.title"]}
          placeholder={texts[props.search ? "search.placeholder" : "search.places"]}
        />
        <IconButton type="button" icon="close" label={texts["actions.close"]} onClick={close} />
      </div>
      <PaletteRows palette={palette} texts={texts} />
      <PaletteStatus palette={palette} />
    </dialog>
  );
}

interface PaletteFieldProps {
  palette: PaletteStore;
  label: string;
  placeholder: string;
}

function PaletteField({ palette, label, placeholder }: PaletteFieldProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown") palette.move(1);
    else if (event.key === "ArrowUp") palette.move(-1);
    else if (event.key !== "Enter" || event.isComposing) return;
    else {palette.choose(
        event.shiftKey ? "run" : event.ctrlKey || event.metaKey ? "new_tab" : "here",
      );}
    event.preventDefault();
  }
  return (
    <input
      type="text"
      role="combobox"
      aria-label={label}
      aria-expanded="true"
      aria-controls="palette-list"
      aria-autocomplete="list"
      aria-activedescendant={`palette-${palette.at.value}`}
      placeholder={placeholder}
      maxLength={200}
      autocomplete="off"
      spellcheck={false}
      value={palette.typed.value}
      onInput={({ currentTarget }) => palette.type(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

const PaletteStatus = ({ palette }: { palette: PaletteStore }) => (
  <p class="palette-told" role="status">{palette.told.value}</p>
);
