import { isSingleKey, shortcutsLink } from "./single_keys.ts";
import { type Deed, type Shortcut, SHORTCUTS } from "./shortcuts.ts";

/** Time that a first key waits for the second one. */
const SEQUENCE_MS = 1_500;

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform);

/**
 * Runs the actions of pressed keys until `signal` aborts. Single keys do nothing while the user
 * types, with another key held, below a dialog, or if they are disabled.
 */
export function followShortcuts(openPalette: () => void, signal: AbortSignal): void {
  let pressed: string[] = [];
  let last = 0;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const keys = keysOf(event, event.timeStamp - last < SEQUENCE_MS ? pressed : []);
    last = event.timeStamp;
    const wanted = keys.length === 0 ? [] : SHORTCUTS.filter((one) => begins(one, keys));
    const whole = wanted.find((shortcut) => shortcut.keys.length === keys.length);
    pressed = whole ? [] : wanted.length > 0 ? keys : [];
    if (whole && carryOut(whole.deed, openPalette)) event.preventDefault();
  }, { signal });
}

const begins = ({ keys }: Shortcut, pressed: string[]): boolean =>
  pressed.every((key, n) => keys[n] === key);

/** Returns the keys pressed so far. Returns none for keys that are not one of our shortcuts. */
function keysOf(event: KeyboardEvent, before: string[]): string[] {
  const { key, ctrlKey, metaKey, altKey } = event;
  const [held, other] = isMac() ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (held && !other && !altKey && !event.shiftKey) return ["Mod", key.toUpperCase()];
  return isSingleKey(event) && !isCovered() ? nextKeys(before, key) : [];
}

/** A key that continues no shortcut begins a new sequence. */
function nextKeys(before: string[], key: string): string[] {
  const keys = [...before, key];
  return SHORTCUTS.some((shortcut) => begins(shortcut, keys)) ? keys : [key];
}

const isCovered = (): boolean => document.querySelector("dialog[open]") !== null;

/** Runs an action. Returns false if the page has no element for it. */
function carryOut(deed: Deed, openPalette: () => void): boolean {
  if ("opens" in deed) {
    if (deed.opens === "palette") openPalette();
    else shortcutsLink()?.click();
    return true;
  }
  if ("goes" in deed) return click(`.drawer [data-section=${deed.goes}]`);
  if ("adds" in deed) return click('#main a:is([href$="/new"], [href$="/new/edit"])');
  if ("moves" in deed) return moveBy(deed.moves);
  return false;
}

function click(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null;
}

/** Selectors for the main link of a row, or else its first control. */
const TARGETS = [".cell-main a:not(.icon-button)", "a", "button"];

/**
 * Moves the focus to the main link of the next or previous row. Enter then opens it, like any link.
 */
function moveBy(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll("#main tbody tr, #main .found li")]
    .map((row) => ({ row, target: targetOf(row) }))
    .filter(({ target }) => target?.checkVisibility());
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const first = step > 0 ? 0 : rows.length - 1;
  const next = at < 0 ? first : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.target?.focus();
  return rows.length > 0;
}

const targetOf = (row: Element): HTMLElement | null =>
  TARGETS.map((selector) => row.querySelector<HTMLElement>(selector)).find(Boolean) ?? null;
