import { nonce } from "./nonce.ts";

/** Removes a page's scripts, and returns the text of the one that starts its islands. */
export function takeScript(page: Document): string {
  const scripts = [...page.querySelectorAll("script")];
  scripts.forEach((script) => script.remove());
  return scripts.map(({ text }) => text).find((text) => text.includes("boot(")) ?? "";
}

/** Event that a page's script sends once its islands are active. */
const WOKEN = "callboard:woken";

/** Resolves when all islands that were inserted into the document are active. */
let woken: Promise<void> = Promise.resolve();
export async function allWoken(): Promise<void> {
  for (let seen; seen !== woken;) await (seen = woken);
}

/**
 * Starts the islands that were inserted into the document. Active islands have no markers any more,
 * so the page's own script finds only new ones. Nothing may be merged before it has run, because
 * the markers would be taken for those of active islands.
 */
export function wakeIslands(script: string): void {
  if (!hasMarkers(document.body)) return;
  const element = document.createElement("script");
  element.type = "module";
  element.nonce = nonce;
  element.text = `${script}\n;document.dispatchEvent(new Event("${WOKEN}"));`;
  woken = new Promise((done) => {
    document.addEventListener(WOKEN, () => done(), { once: true });
    element.onerror = () => done(); // The script could not be loaded. The fields work without it.
  });
  document.body.append(element);
  element.remove();
}

/**
 * Whether an active island shows the same as its new version in a page. The value of `data-island`
 * says what it shows, that of `data-first` what it has shown at first, and its fields what was
 * typed.
 */
const showsSame = (active: HTMLElement, next: HTMLElement, isTyped: IsTyped): boolean =>
  isTyped(active) || ([active.dataset.island, active.dataset.first].includes(next.dataset.island) &&
    fieldPairs(active, next).every(([field, its]) => isTyped(field) || field.value === its.value));

type Typed = HTMLTextAreaElement | HTMLInputElement | HTMLSelectElement;

/** Whether the typed value of a field stays, or a changed island, whatever the server says. */
type IsTyped = (element: HTMLElement) => boolean;

const FIELDS = ":is(textarea, select, input)[name]";

const fieldPairs = (active: HTMLElement, next: HTMLElement) =>
  [...next.querySelectorAll<Typed>(FIELDS)].flatMap((its): [Typed, Typed][] => {
    const field = [...active.querySelectorAll<Typed>(`[name="${CSS.escape(its.name)}"]`)]
      .find((field) => !isBox(its) || field.value === its.value);
    return field ? [[field, its]] : [];
  });

/** Whether a field is ticked, and has a value that never changes. */
const isBox = (field: Typed): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

function copyTyped(from: Typed, to: Typed): void {
  if (isBox(from) && isBox(to)) to.checked = from.checked;
  else to.value = from.value;
}

/**
 * Prepares the islands of `target` for a merge with `source`. Islands that show something else than
 * before are removed, so that the new ones start. The others stay active, and lose their markers
 * in `source`, so that they are not started twice.
 */
export function matchIslands(target: Element, source: Element, isTyped: IsTyped): void {
  for (const next of source.querySelectorAll<HTMLElement>("[data-island][id]")) {
    const active = target.querySelector<HTMLElement>(`#${CSS.escape(next.id)}`);
    if (!active) continue;
    if (showsSame(active, next, isTyped)) dropMarkers(next);
    else {
      for (const [field, its] of fieldPairs(active, next)) {
        if (isTyped(field)) copyTyped(field, its);
      }
      active.remove();
    }
  }
}

function dropMarkers(island: HTMLElement): void {
  for (const marker of [island.previousSibling, island.nextSibling]) {
    if (marker instanceof Comment) marker.remove();
  }
}

function hasMarkers(root: Node): boolean {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    if ((walker.currentNode as Comment).data.startsWith("frsh:island:")) return true;
  }
  return false;
}
