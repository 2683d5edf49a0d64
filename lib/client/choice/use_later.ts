import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { onceGone } from "../page/lifetime.ts";

/**
 * Loads a part of an island once the page is shown. It is null until then, after the island has
 * left the page, and where it cannot be loaded. Its first field gets the focus if the element that
 * it replaces has it.
 */
export function useLater<Part extends object>(
  root: RefObject<HTMLElement>,
  load: () => Promise<Part>,
): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    load().then((loaded) => {
      if (!root.current?.isConnected) return;
      hadFocus.current = root.current.contains(document.activeElement);
      setPart(loaded);
    }, reportError); // The field works without it.
    return onceGone(root.current!, () => setPart(null));
  }, []);
  useLayoutEffect(() => {
    if (part && hadFocus.current) root.current!.querySelector("input")!.focus();
  }, [part]);
  return part;
}
