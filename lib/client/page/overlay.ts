import { focusIn, focusWrong, keepFocusIn } from "./focus.ts";
import { allWoken, wakeIslands } from "./islands.ts";
import { forgetChanges } from "./unsaved.ts";
import { mergePage } from "./merge.ts";
import { restoreFocus } from "./opener.ts";
import { putFlash } from "./messages.ts";
import {
  announceShown,
  cancelNewest,
  type PageAnswer,
  refresh,
  requestPage,
  setShownUrl,
  show,
  shownUrl,
  withoutHash,
} from "./visit.ts";

/** State of a history entry with an overlay. */
interface OverlayState {
  over: true;
}

export const OVERLAY_STATE: OverlayState = { over: true };

export const isOverState = (state: unknown): state is OverlayState =>
  typeof state === "object" && state !== null && "over" in state;

export const dialog = () => document.getElementById("over") as HTMLDialogElement;

/** Returns the dialog of a page, which is the part shown over another page. */
export const dialogOf = (page: Document) =>
  page.querySelector<HTMLElement>("#over > .dialog, #main .dialog");

/** Whether a dialog shows a task over the page of a task, so that their ids would be equal. */
export const isTaskOverTask = (content: Element): boolean =>
  Boolean(content.querySelector("#task-live") && document.querySelector("#main #task-live"));

/** Whether an element is in the overlay. */
export const isInOverlay = (element: Element): boolean => element.closest("#over") !== null;

/** Title of the page below. */
let titleBelow = document.title;
/** Address of the overlay's content. */
let overUrl = withoutHash(location.href);
export const overAddress = (): string => overUrl;
/** Whether the overlay has stored something that the page below may show. */
let isStale = false;

/** Shows the dialog of `answer`, and moves the focus into it. */
export function put(answer: PageAnswer): void {
  const over = dialog();
  if (!over.open) titleBelow = document.title;
  const content = dialogOf(answer.document)!;
  overUrl = answer.url;
  over.replaceChildren(content);
  recordUrlBelow();
  document.title = answer.document.title;
  if (!over.open) over.showModal();
  wakeIslands(answer.script);
  announceShown();
  focusIn(over);
  holdFocus();
}

/** Starting an island inserts it again, so an element in it may lose the focus. */
export function holdFocus(): void {
  const over = dialog();
  allWoken().then(() => setTimeout(() => over.open && keepFocusIn(over))).catch(reportError);
}

/**
 * Records the URL of the page below an overlay that the server has rendered. That page is reloaded
 * when the overlay closes, which sets its title.
 */
export function setBelow(url: string): void {
  setShownUrl(url);
  isStale = true;
}

/** Labels the overlay by the heading of its dialog. */
export function recordUrlBelow(): void {
  const label = dialog().querySelector(".dialog")?.getAttribute("aria-labelledby");
  if (label) dialog().setAttribute("aria-labelledby", label);
}

/**
 * Shows the answer to a form in the dialog: the same dialog with errors or new content, or another
 * one. An answer without a dialog is a page, which replaces the dialog. With `isLookedAt`, the
 * focus stays where the user is typing.
 */
export async function showInOverlay(answer: PageAnswer, isLookedAt = false): Promise<void> {
  const content = dialogOf(answer.document);
  if (!content) return await closeWith(answer);
  const old = dialog().querySelector<HTMLElement>(".dialog")!;
  const flash = answer.document.querySelector(".flash");
  if (answer.isRedirected) {
    isStale = true;
    forgetChanges(old);
    history.replaceState(history.state, "", answer.url);
  }
  if (isTaskOverTask(content)) return location.reload();
  if (content.id === old.id) {
    overUrl = answer.url;
    mergePage(old, content, answer.isRedirected ? "nothing" : "secrets", answer.askedAt);
    wakeIslands(answer.script);
    announceShown();
    if (!isLookedAt) {
      focusWrong(old);
      // The pressed button may have been removed.
      holdFocus();
    }
  } else put(answer);
  putFlash(flash);
}

/** Shows the page that a form in the dialog led to. The page below keeps its order and filter. */
async function closeWith(answer: PageAnswer): Promise<void> {
  const isBelow = new URL(answer.url).pathname === new URL(shownUrl()).pathname;
  const flash = answer.document.querySelector(".flash");
  const asked = isBelow && answer.url !== shownUrl()
    ? await requestPage(shownUrl()).catch(() => null) // The form is stored even if this fails.
    : null;
  const below = asked ?? answer;
  const isOwnEntry = isOverState(history.state);
  isStale = false;
  leave();
  history.replaceState(null, "", below.url);
  show(below, "nothing");
  if (below !== answer) putFlash(flash);
  restoreFocus();
  // The page below already has the previous entry.
  if (isBelow && isOwnEntry) history.back();
}

/** Closes the overlay. */
export function leave(): void {
  const over = dialog();
  if (!over.open) return;
  cancelNewest();
  over.close();
  over.replaceChildren();
  document.title = titleBelow;
  announceShown();
  if (isStale) refresh().catch(() => {});
  isStale = false;
}
