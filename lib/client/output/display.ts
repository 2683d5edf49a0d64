import { type Deed, SHORTCUTS } from "@/lib/client/shortcuts/shortcuts.ts";
import { isSingleKey } from "@/lib/client/shortcuts/single_keys.ts";

const WRAP = "callboard.log.wrap";

/** Whether long lines wrap, as stored in this browser. */
export const wrapsLines = (): boolean => stored(() => localStorage.getItem(WRAP)) !== null;

export const rememberWrap = (is: boolean): void =>
  stored(() => is ? localStorage.setItem(WRAP, "1") : localStorage.removeItem(WRAP)) ?? undefined;

/** The browser may block storage. Then the value is not remembered. */
function stored<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

/** Shows an element in full screen, or leaves full screen. */
export function toggleFullScreen(element: Element): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : element.requestFullscreen();
  change.catch(() => {}); // The browser does not allow it here.
}

/**
 * Calls `go` when someone presses a link to a line of the output beside it, until the returned
 * function is called.
 */
export function followLineLinks(part: Element, go: (line: number) => void): () => void {
  const onClick = (event: Event) => {
    const { button, ctrlKey, metaKey, shiftKey, target } = event as MouseEvent;
    const link = (target as Element).closest<HTMLElement>("a[data-line]");
    if (!link || button !== 0 || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    go(Number(link.dataset.line));
  };
  part.addEventListener("click", onClick);
  return () => part.removeEventListener("click", onClick);
}

type LogDeed = Extract<Deed, { inLog: unknown }>["inLog"];

/**
 * Follows the keys of an open log until the returned function is called. It runs before the page's
 * shortcuts, where a key may have another meaning.
 */
export function followLogKeys(deeds: Record<LogDeed, () => void>): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { deed } =
      SHORTCUTS.find(({ keys: [key], deed }) => "inLog" in deed && key === event.key) ?? {};
    if (!deed || !("inLog" in deed) || !isSingleKey(event)) return;
    event.preventDefault();
    deeds[deed.inLog]();
  };
  document.addEventListener("keydown", onKey, { capture: true });
  return () => document.removeEventListener("keydown", onKey, { capture: true });
}
