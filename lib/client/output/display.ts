import { useEffect, useRef, useState } from "preact/hooks";
import { type Deed, SHORTCUTS } from "@/lib/client/shortcuts/shortcuts.ts";
import { isSingleKey } from "@/lib/client/shortcuts/single_keys.ts";

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

/** Shows `place` alone on the screen, or no more. */
export function toggleFullScreen(place: Place): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : place.current?.requestFullscreen();
  change?.catch(() => {}); // The browser does not allow it here.
}

type LogDeed = Extract<Deed, { inLog: unknown }>["inLog"];

/** Does what keys stand for in an open log; before the page, where one may stand for something else. */
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
