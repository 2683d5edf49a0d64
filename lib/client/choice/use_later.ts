import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { onceGone } from "../page/lifetime.ts";

/**
 * Loads a part of an island once the page is shown and the part is wanted. It is null until then,
 * after the island has left the page, and where it cannot be loaded. Its first field gets the focus
 * and the selection of the field that it replaces.
 */
export function useLater<Part extends object>(
  root: RefObject<HTMLElement>,
  load: () => Promise<Part>,
  isWanted = true,
): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const selection = useRef<[number, number] | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    load().then((loaded) => {
      if (!root.current?.isConnected) return;
      selection.current = selectionIn(root.current);
      setPart(loaded);
    }, reportError); // The field works without it.
    return onceGone(root.current!, () => setPart(null));
  }, [isWanted]);
  useLayoutEffect(() => {
    if (!part || !selection.current) return;
    const field = root.current!.querySelector("input")!;
    field.focus();
    field.setSelectionRange(...selection.current);
  }, [part]);
  return part;
}

/** Returns what is selected in the focused field of an island; null without one. */
function selectionIn(root: HTMLElement): [number, number] | null {
  const focused = document.activeElement;
  if (!root.contains(focused)) return null;
  return focused instanceof HTMLInputElement
    ? [focused.selectionStart ?? 0, focused.selectionEnd ?? 0]
    : [0, 0];
}
