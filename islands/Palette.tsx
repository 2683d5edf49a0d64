import { type ComponentType, useEffect, useRef, useState } from "react";
import type { PaletteProps } from "@/components/palette/entries.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import { followShortcuts } from "@/lib/client/shortcuts/follow.ts";

type Dialog = ComponentType<PaletteProps & { onClose: () => void }>;

/**
 * Follows shortcuts, and opens the palette over the page: by its keys, or by a link with
 * `data-palette`, which leads to the search without a script. Invisible until then.
 */
export default function Palette({ palette }: { palette: PaletteProps }) {
  const root = useRef<HTMLDivElement>(null);
  const [isAwake, setAwake] = useState(false);
  const [opened, setOpened] = useState<{ dialog: Dialog | null }>({ dialog: null });

  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const open = () => {
      // Most visits do not use it, so it is loaded on first use.
      import("../components/palette/PaletteDialog.tsx").then(({ PaletteDialog }) => {
        if (!signal.aborted) setOpened({ dialog: PaletteDialog });
      }, () => {
        // A server of a later build does not have it any more.
        if (!signal.aborted) location.assign(palette.search?.page ?? location.href);
      });
    };
    const clicked = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a[data-palette]");
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!link || event.defaultPrevented || !isPlain) return;
      event.preventDefault();
      open();
    };
    setAwake(true);
    followShortcuts(open, signal);
    document.addEventListener("click", clicked, { signal });
    const forget = onceGone(root.current!, () => closing.abort());
    return () => {
      forget();
      closing.abort();
    };
  }, [palette]);

  const { dialog: PaletteDialog } = opened;
  return (
    <div
      id={`palette-${palette.projectId}`}
      ref={root}
      data-island={islandKey(palette)}
      data-awake={isAwake || undefined}
    >
      {PaletteDialog && (
        <PaletteDialog
          {...palette}
          onClose={() => setOpened({ dialog: null })}
        />
      )}
    </div>
  );
}
