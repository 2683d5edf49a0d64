import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/Icon.tsx";
import type { PaletteProps } from "./entries.ts";
import { PaletteRows } from "./PaletteRows.tsx";
import { usePalette } from "../../lib/client/palette/use_palette.ts";

/** A combobox: a search field and a list of options. The focus stays in the field. */
export function PaletteDialog({ onClose, ...props }: PaletteProps & { onClose: () => void }) {
  const { texts } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current!.close();
  const { typed, type, groups, at, isOld, told, open, onKeyDown } = usePalette(props, close);

  useEffect(() => dialog.current!.showModal(), []);
  useEffect(() => {
    dialog.current!.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts["search.title"]}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={texts["search.title"]}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={`palette-${at}`}
          placeholder={texts["search.placeholder"]}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="icon-button" onClick={close}>
          <Icon name="close" label={texts["actions.close"]} />
        </button>
      </div>
      <PaletteRows
        groups={groups}
        at={at}
        found={typed}
        busy={isOld}
        label={texts["search.title"]}
        open={open}
      />
      <p class="palette-told" role="status">{told}</p>
    </dialog>
  );
}
