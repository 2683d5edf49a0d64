import { type ComponentType, useEffect, useRef, useState } from "react";
import type { PaletteProps as DialogProps } from "@/components/palette/entries.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import { loadSheets } from "@/lib/client/page/sheets.ts";
import { followShortcuts } from "@/lib/client/shortcuts/follow.ts";

interface PaletteProps {
  /** 0 outside of projects. */
  projectId: number;
  /** Address of the dialog's data. */
  data: string;
  /** Address of the search as a page; null outside of projects. */
  search: string | null;
}

/** The dialog, and what it shows. */
interface Opened {
  Dialog: ComponentType<DialogProps & { onClose: () => void }>;
  props: DialogProps;
}

/**
 * Follows shortcuts, and opens the palette over the page: by its keys, or by a link with
 * `data-palette`, which leads to the search without a script. Invisible until then.
 */
export default function Palette({ projectId, data, search }: PaletteProps) {
  const root = useRef<HTMLDivElement>(null);
  const [isAwake, setAwake] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);

  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    let isLoading = false;
    const open = () => {
      // Its keys may be pressed again before it is there.
      if (isLoading) return;
      isLoading = true;
      loadDialog(data).then((loaded) => {
        if (!signal.aborted) setOpened(loaded);
      }, (error) => {
        // Without a server, the page stays and says so. A server of a later build does not have
        // the dialog any more, and one that knows the user no more asks them to sign in.
        if (!signal.aborted && !(error instanceof Unreachable)) {
          location.assign(search ?? location.href);
        }
      }).finally(() => isLoading = false);
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
  }, [data, search]);

  return (
    <div
      id={`palette-${projectId}`}
      ref={root}
      data-island={islandKey([data, search])}
      data-awake={isAwake || undefined}
    >
      {opened && <opened.Dialog {...opened.props} onClose={() => setOpened(null)} />}
    </div>
  );
}

class Unreachable extends Error {}

/** Loads the dialog and its data at each opening, because most visits do not use them. */
async function loadDialog(address: string): Promise<Opened> {
  const answer = fetch(address).catch((cause) => {
    throw new Unreachable(address, { cause });
  });
  const [response, { PaletteDialog }] = await Promise.all([
    answer,
    import("../components/palette/PaletteDialog.tsx"),
  ]);
  const props: DialogProps = await response.json();
  await loadSheets(props.sheets);
  return { Dialog: PaletteDialog, props };
}
