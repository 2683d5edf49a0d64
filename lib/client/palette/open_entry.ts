import type { Entry } from "../../../components/palette/entries.ts";

const RECENT_MAX = 7;
const keyOf = (projectId: number) => `callboard.recent.${projectId}`;

/** How an entry is opened. Entries that cannot be run are opened here. */
export type Way = "here" | "new_tab" | "run";

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null &&
  ["name", "icon", "href"].every((member) =>
    typeof (value as Record<string, unknown>)[member] === "string"
  ) && isOwnPath((value as Entry).href) && isOwnPath((value as Entry).run ?? "/");

const isOwnPath = (href: string) => /^\/(?!\/)/.test(href);

/**
 * Returns the entries last opened from the palette, latest first. They are stored in this browser
 * only.
 */
export function readRecent(projectId: number): Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return []; // The browser blocks storage, or the value is not ours.
  }
}

function rememberRecent(projectId: number, entry: Entry): void {
  const others = readRecent(projectId).filter(({ href }) => href !== entry.href);
  const recent = [entry, ...others].slice(0, RECENT_MAX);
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(recent));
  } catch {
    // The palette works without it.
  }
}

/** Opens an entry of the palette, and remembers it. */
export function openEntry(projectId: number, entry: Entry, way: Way): void {
  rememberRecent(projectId, entry);
  if (way === "run" && entry.run) openOverlay(entry.run);
  else if (way === "new_tab") globalThis.open(entry.href, "_blank", "noopener");
  else if (entry.over) openOverlay(entry.href);
  else location.assign(entry.href);
}

/**
 * Opens a dialog by the page's script, like a link with `data-over`. Without that script, it
 * navigates.
 */
function openOverlay(href: string): void {
  const link = Object.assign(document.createElement("a"), { href, hidden: true });
  link.dataset.over = "";
  document.body.append(link);
  link.click();
  link.remove();
}
