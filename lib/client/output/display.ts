import { useEffect, useRef, useState } from "preact/hooks";
import { type Deed, SHORTCUTS } from "@/lib/client/shortcuts/shortcuts.ts";
import { isSingleKey } from "@/lib/client/shortcuts/single_keys.ts";

const WRAP = "callboard.log.wrap";

/** Whether long lines wrap, as stored in this browser; unknown before the script runs. */
export function useWrap(): [boolean, (is: boolean) => void] {
  const [wraps, setWraps] = useState(false);
  useEffect(() => setWraps(stored(() => localStorage.getItem(WRAP)) !== null), []);
  return [wraps, (is) => {
    setWraps(is);
    stored(() => is ? localStorage.setItem(WRAP, "1") : localStorage.removeItem(WRAP));
  }];
}

/** The browser may block storage. Then the value is not remembered. */
function stored<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

type Place = { readonly current: HTMLElement | null };

/** Shows `place` in full screen, or leaves full screen. */
export function toggleFullScreen(place: Place): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : place.current?.requestFullscreen();
  change?.catch(() => {}); // The browser does not allow it here.
}

type LogDeed = Extract<Deed, { inLog: unknown }>["inLog"];

/**
 * Follows the keys of an open log. It runs before the page's shortcuts, where a key may have
 * another meaning.
 */
export function useLogKeys(deeds: Record<LogDeed, () => void>): void {
  const latest = useRef(deeds);
  latest.current = deeds;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { deed } = SHORTCUTS.find(({ keys: [key], deed }) =>
        "inLog" in deed && key === event.key
      ) ?? {};
      if (!deed || !("inLog" in deed) || !isSingleKey(event)) return;
      event.preventDefault();
      latest.current[deed.inLog]();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
