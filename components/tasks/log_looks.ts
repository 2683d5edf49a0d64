import { useEffect, useState } from "preact/hooks";

const WRAP = "callboard.log.wrap";

/** Whether long lines go on below, as this browser wants it; not known before the script runs. */
export function useWrap(): [boolean, (is: boolean) => void] {
  const [wraps, setWraps] = useState(false);
  useEffect(() => setWraps(stored(() => localStorage.getItem(WRAP)) !== null), []);
  return [wraps, (is) => {
    setWraps(is);
    stored(() => is ? localStorage.setItem(WRAP, "1") : localStorage.removeItem(WRAP));
  }];
}

/** Browsers may keep nothing for us: then it is not remembered. */
function stored<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

type Place = { readonly current: HTMLElement | null };

/** Shows `place` alone on the screen, or no more; so does the key "f" outside of fields. */
export function useFullScreen(place: Place, isThere: boolean): () => void {
  const toggle = () => {
    const change = document.fullscreenElement
      ? document.exitFullscreen()
      : place.current?.requestFullscreen();
    change?.catch(() => {}); // The browser does not allow it here.
  };
  useEffect(() => {
    if (!isThere) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isTyped = (target as Element).closest?.("input, textarea, select, [contenteditable]");
      if (key !== "f" || ctrlKey || metaKey || altKey || isTyped) return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isThere]);
  return toggle;
}
