import type { Idiomorph } from "idiomorph";
import { matchIslands } from "./islands.ts";

/** The library that merges HTML, once it is loaded. */
let library: { Idiomorph: typeof Idiomorph } | undefined;
let loading: Promise<void> | undefined;

/** Loads what `mergePage` needs. Another call tries again if that failed. */
export const readyToMerge = (): Promise<void> =>
  loading ??= import("idiomorph").then(
    (loaded) => void (library = loaded),
    (error) => {
      loading = undefined;
      throw error;
    },
  );

/**
 * Typed values to keep when new HTML is merged. "all" is for a page that changed around the form.
 * "secrets" is for a form that comes back, because no answer contains secrets. "nothing" is for a
 * saved form.
 */
export type Keep = "all" | "secrets" | "nothing";

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Time of the last input into a field, in milliseconds since the page was opened. */
const typedAt = new WeakMap<EventTarget, number>();

export function noteTyping({ target, timeStamp }: Event): void {
  typedAt.set(target!, timeStamp);
}

/** Whether a field of a form was changed after a time. */
export const isTypedSince = (form: HTMLFormElement, time: number): boolean =>
  [...form.elements].some((field) => wasTypedSince(field, time));

const wasTypedSince = (field: Node, time: number) => (typedAt.get(field) ?? -Infinity) > time;

/** Time at which a stream has brought an element, in milliseconds since the page was opened. */
const broughtAt = new WeakMap<Node, number>();

export function noteBrought(element: Element): void {
  broughtAt.set(element, performance.now());
}

/**
 * Makes `target` like `source`, except for typed values and islands. `source` does not contain
 * input that is newer than `askedAt`. In a refresh, elements stay that a stream has brought since.
 * `readyToMerge` has resolved before.
 */
export function mergePage(
  target: Element,
  source: Element,
  keep: Keep,
  askedAt = Infinity,
  isRefresh = false,
): void {
  const isTypedLate = (field: Node) => wasTypedSince(field, askedAt);
  const isBroughtSince = (node: Node) => isRefresh && (broughtAt.get(node) ?? -Infinity) > askedAt;
  matchIslands(target, source, (field) => isTypedLate(field) || isKeptField(field, keep));
  for (const body of target.querySelectorAll("tbody")) {
    dropRows(body, source.ownerDocument, isBroughtSince);
  }
  library!.Idiomorph.morph(target, source, {
    // It also leaves out the text of a link or button, which may be a new one.
    ignoreActiveValue: keep !== "nothing" && isInUse(document.activeElement),
    callbacks: {
      beforeNodeMorphed: (before, after) =>
        !isSameRow(before, after) && !isKeptIsland(before, after) && !isFilled(before, after) &&
        !isOpenDialog(before) && !isTypedLate(before) && !isBroughtSince(before) &&
        !isKeptField(before, keep),
      beforeAttributeUpdated: (name, element, change) =>
        !(name === "open" && change === "remove" && element instanceof HTMLDetailsElement),
      // Islands need the empty text nodes around them.
      beforeNodeRemoved: (node) =>
        !((node as Node).nodeType === Node.TEXT_NODE && isEmpty(node)) &&
        !(keep === "all" && isMessage(node)) && !isBroughtSince(node),
    },
  });
}

/** Number of rows that are removed one by one without a delay that people notice. */
const ROWS_AT_ONCE = 100;

/**
 * Removes the rows of a long list that `page` lacks while the list is not in the document, where
 * the removal of each one makes the browser check the style of the others.
 */
function dropRows(
  body: HTMLTableSectionElement,
  page: Document,
  isBroughtSince: (row: Node) => boolean,
): void {
  if (body.rows.length <= ROWS_AT_ONCE || body.contains(document.activeElement)) return;
  const gone = [...body.rows].filter((row) =>
    row.id !== "" && page.getElementById(row.id) === null && !isBroughtSince(row)
  );
  if (gone.length <= ROWS_AT_ONCE) return;
  const { parentNode, nextSibling } = body;
  body.remove();
  gone.forEach((row) => row.remove());
  parentNode!.insertBefore(body, nextSibling);
}

/**
 * Whether a row stays as it is. Its links get their new addresses, which contain the state of the
 * list, such as its filter. Comparing is fast, and merging each element of a long list is not. Rows
 * with fields are merged, because typed values do not count in a comparison.
 */
function isSameRow(before: Node, after: Node): boolean {
  if (!(before instanceof HTMLTableRowElement) || before.querySelector(FIELDS)) return false;
  const links = before.querySelectorAll("a[href]");
  (after as Element).querySelectorAll("a[href]").forEach((link, n) => {
    const href = link.getAttribute("href")!;
    if (links[n]?.getAttribute("href") !== href) links[n]?.setAttribute("href", href);
  });
  return before.isEqualNode(after);
}

const FIELDS = "input, select, textarea";

const isEmpty = (node: Node) => node.nodeValue === "";

/** Islands that show something else than before have been removed already. */
const isKeptIsland = (before: Node, after: Node): boolean =>
  before instanceof HTMLElement && "island" in before.dataset &&
  before.id === (after as HTMLElement).id;

/** Whether an element has contents of its own address, which the page does not know. */
const isFilled = (before: Node, after: Node): boolean =>
  before instanceof HTMLElement && "fill" in before.dataset &&
  before.dataset.fill === (after as HTMLElement).dataset.fill;

/** Selects the message about what the user did, such as "Host removed". */
export const MESSAGE = "body > .flash";

const isMessage = (node: Node): boolean => node instanceof Element && node.matches(MESSAGE);

const isOpenDialog = (before: Node): boolean => before instanceof HTMLDialogElement && before.open;

function isKeptField(before: Node, keep: Keep): boolean {
  if (keep === "nothing" || !isField(before) || !isChanged(before)) return false;
  return keep === "all" || before.type === "password" || "secret" in before.dataset;
}

const isField = (node: Node): node is Typed =>
  node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement ||
  node instanceof HTMLSelectElement;

/** A select with the focus must still follow the server, unless someone is choosing in it. */
const isInUse = (element: Element | null): boolean =>
  element !== null && isField(element) &&
  !(element instanceof HTMLSelectElement && !isChanged(element));

/** Whether a field's value differs from the one that the page came with. */
function isChanged(field: Typed): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const hasDefault = options.some(({ defaultSelected }) => defaultSelected);
    return hasDefault
      ? options.some((option) => option.selected !== option.defaultSelected)
      : field.selectedIndex > 0;
  }
  const isChoice = field.type === "checkbox" || field.type === "radio";
  if (isChoice) {
    const { checked, defaultChecked } = field as HTMLInputElement;
    return checked !== defaultChecked;
  }
  return field.type !== "hidden" && field.value !== field.defaultValue;
}
