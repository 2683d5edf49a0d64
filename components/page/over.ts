import { merge } from "./merge.ts";
import { wakeIslands } from "./islands.ts";
import { type Answer, load, setShownUrl, show, shownUrl, tellShown, withoutHash } from "./visit.ts";

/** What the history says of an entry where something lies over the page. */
interface OverState {
  over: true;
}

const isOverState = (state: unknown): state is OverState =>
  typeof state === "object" && state !== null && "over" in state;

const dialog = () => document.getElementById("over") as HTMLDialogElement;

/** The dialog of a page: what is shown of it over another one. */
const dialogOf = (page: Document) =>
  page.querySelector<HTMLElement>("#over > .dialog, #main .dialog");

/** What had the focus before, by itself and by its address: the page may have changed since. */
let opener: { element: HTMLElement; href: string | null } | null = null;
/** Of the page below. */
let titleBelow = document.title;

/** Shows the dialog of the page at `url` over this one. A page without one is gone to. */
export async function openOver(url: string, from: HTMLElement | null): Promise<void> {
  const answer = await load(url);
  if (!answer) return;
  const isFirst = !dialog().open;
  if (!dialogOf(answer.document)) return location.assign(answer.url);
  if (isFirst) {
    opener = from && { element: from, href: from.getAttribute("href") };
    history.pushState({ over: true } satisfies OverState, "", answer.url);
  } else {
    history.replaceState(history.state, "", answer.url);
  }
  put(answer);
}

/** Makes the dialog that of `answer`, and moves the focus into it. */
function put(answer: Answer): void {
  const over = dialog();
  if (!over.open) titleBelow = document.title;
  const content = dialogOf(answer.document)!;
  over.replaceChildren(content);
  name(over, content);
  document.title = answer.document.title;
  if (!over.open) over.showModal();
  wakeIslands(answer.script);
  tellShown();
  focusIn(over);
}

function name(over: HTMLElement, content: HTMLElement): void {
  const label = content.getAttribute("aria-labelledby");
  if (label) over.setAttribute("aria-labelledby", label);
}

/** What is wrong comes first, then what asks for it, then the first field; else the dialog itself. */
function focusIn(over: HTMLElement): void {
  const target = ["[aria-invalid=true]", "[autofocus]", FIELD]
    .map((selector) => over.querySelector<HTMLElement>(selector)).find(Boolean);
  target?.focus();
}

const FIELD = "input:not([type=hidden], [disabled]), select, textarea";

/** Whether a form lies over the page. */
export const isOver = (element: Element): boolean => element.closest("#over") !== null;

/**
 * What came of a form in the dialog: the same one again, with what is wrong, or another page, which
 * is then shown, with the dialog gone. With `isLookedAt`, the focus stays where something is typed.
 */
export function answerOver(answer: Answer, isLookedAt = false): void {
  const content = answer.isRedirected ? null : dialogOf(answer.document);
  const old = dialog().querySelector<HTMLElement>(".dialog");
  if (content && old) {
    merge(old, content, "secrets");
    wakeIslands(answer.script);
    if (!isLookedAt && content.querySelector("[aria-invalid=true]")) focusIn(dialog());
    return;
  }
  leave();
  history.replaceState(null, "", answer.url);
  show(answer, "nothing");
  restoreFocus();
}

/** Goes back to the page below: by the history, so that the entry of the dialog is not left behind. */
export function closeOver(): void {
  if (isOverState(history.state)) return history.back();
  // The server put it there: what is below is no entry of its own.
  history.replaceState(null, "", shownUrl());
  leave();
  restoreFocus();
}

function leave(): void {
  const over = dialog();
  if (!over.open) return;
  over.close();
  over.replaceChildren();
  document.title = titleBelow;
  tellShown();
}

function restoreFocus(): void {
  if (!opener) return;
  const { element, href } = opener;
  opener = null;
  const target = element.isConnected
    ? element
    : href && document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
  if (target) target.focus();
}

/** Takes the dialog that came with the page, and gives it what only a script can. */
export function adoptOver(): void {
  const over = dialog();
  over.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeOver();
  });
  if (!over.open) return;
  const below = over.querySelector<HTMLAnchorElement>("a[data-cancel]");
  if (below) setShownUrl(below.href);
  document.querySelectorAll("[inert]").forEach((element) => element.removeAttribute("inert"));
  over.close();
  over.showModal();
  name(over, over.querySelector<HTMLElement>(".dialog")!);
}

/** Back and forward: what lies over the page comes and goes, and pages that were merged return. */
export async function onHistory(state: unknown): Promise<void> {
  if (isOverState(state)) {
    const answer = await load(location.href);
    if (answer && dialogOf(answer.document)) return put(answer);
    return location.reload();
  }
  if (dialog().open) {
    leave();
    restoreFocus();
  }
  if (withoutHash(location.href) === shownUrl()) return;
  const answer = await load(location.href);
  if (answer) show(answer, "nothing");
}
