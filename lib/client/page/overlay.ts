import { focusIn, focusWrong, keepFocusIn } from "./focus.ts";
import { allWoken, wakeIslands } from "./islands.ts";
import { forgetChanges } from "./unsaved.ts";
import { merge } from "./merge.ts";
import { restoreFocus } from "./opener.ts";
import { putFlash } from "./messages.ts";
import {
  type Answer,
  ask,
  giveUp,
  refresh,
  setShownUrl,
  show,
  shownUrl,
  tellShown,
  withoutHash,
} from "./visit.ts";

/** What the history says of an entry where something lies over the page. */
interface OverState {
  over: true;
}

export const OVER: OverState = { over: true };

export const isOverState = (state: unknown): state is OverState =>
  typeof state === "object" && state !== null && "over" in state;

export const dialog = () => document.getElementById("over") as HTMLDialogElement;

/** The dialog of a page: what is shown of it over another one. */
export const dialogOf = (page: Document) =>
  page.querySelector<HTMLElement>("#over > .dialog, #main .dialog");

/** Whether a form lies over the page. */
export const isOver = (element: Element): boolean => element.closest("#over") !== null;

/** Of the page below. */
let titleBelow = document.title;
/** Where what lies over the page is from. */
let overUrl = withoutHash(location.href);
export const overAddress = (): string => overUrl;
/** Whether something was stored from there that the page below may show. */
let isStale = false;

/** Makes the dialog that of `answer`, and moves the focus into it. */
export function put(answer: Answer): void {
  const over = dialog();
  if (!over.open) titleBelow = document.title;
  const content = dialogOf(answer.document)!;
  overUrl = answer.url;
  over.replaceChildren(content);
  nameOver();
  document.title = answer.document.title;
  if (!over.open) over.showModal();
  wakeIslands(answer.script);
  tellShown();
  focusIn(over);
  holdFocus();
}

/** An island that wakes is put into its place anew: what had the focus in it has it no more. */
export function holdFocus(): void {
  const over = dialog();
  allWoken().then(() => setTimeout(() => over.open && keepFocusIn(over)));
}

/** Says which page is below what the server has put over it: what that is called, it tells itself. */
export function setBelow(url: string): void {
  setShownUrl(url);
  isStale = true;
}

/** The dialog is called what its heading says. */
export function nameOver(): void {
  const label = dialog().querySelector(".dialog")?.getAttribute("aria-labelledby");
  if (label) dialog().setAttribute("aria-labelledby", label);
}

/**
 * What came of a form in the dialog: the same one again, with what is wrong or what was added, or
 * another one; else a page, which is then shown, with the dialog gone. With `isLookedAt`, the focus
 * stays where something is typed.
 */
export async function answerOver(answer: Answer, isLookedAt = false): Promise<void> {
  const content = dialogOf(answer.document);
  if (!content) return await closeWith(answer);
  const old = dialog().querySelector<HTMLElement>(".dialog")!;
  const flash = answer.document.querySelector(".flash");
  if (answer.isRedirected) {
    isStale = true;
    forgetChanges(old);
    history.replaceState(history.state, "", answer.url);
  }
  if (content.id === old.id) {
    overUrl = answer.url;
    merge(old, content, answer.isRedirected ? "nothing" : "secrets", answer.askedAt);
    wakeIslands(answer.script);
    tellShown();
    if (!isLookedAt) {
      focusWrong(old);
      // The button that was pressed may have gone with what it did.
      holdFocus();
    }
  } else put(answer);
  putFlash(flash);
}

/** Shows the page that a form in the dialog led to; the one below as it was sorted and filtered. */
async function closeWith(answer: Answer): Promise<void> {
  const isBelow = new URL(answer.url).pathname === new URL(shownUrl()).pathname;
  const flash = answer.document.querySelector(".flash");
  const asked = isBelow && answer.url !== shownUrl()
    ? await ask(shownUrl()).catch(() => null) // It is stored, whether the list comes or not.
    : null;
  const below = asked ?? answer;
  const isOwnEntry = isOverState(history.state);
  isStale = false;
  leave();
  history.replaceState(null, "", below.url);
  show(below, "nothing");
  if (below !== answer) putFlash(flash);
  restoreFocus();
  // The page has an entry already: the one before.
  if (isBelow && isOwnEntry) history.back();
}

/** Takes the dialog away. */
export function leave(): void {
  const over = dialog();
  if (!over.open) return;
  giveUp();
  over.close();
  over.replaceChildren();
  document.title = titleBelow;
  tellShown();
  if (isStale) refresh().catch(() => {});
  isStale = false;
}
