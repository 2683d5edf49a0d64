import { followBackdrop } from "./backdrop.ts";
import { focusIn } from "./focus.ts";
import { isHeld, mayDiscard } from "./unsaved.ts";
import { restoreFocus, setOpener } from "./opener.ts";
import {
  dialog,
  dialogOf,
  holdFocus,
  isOverState,
  isTaskOverTask,
  leave,
  overAddress,
  OVERLAY_STATE,
  put,
  recordUrlBelow,
  setBelow,
} from "./overlay.ts";
import { SHOWN } from "./lifetime.ts";
import { allSent, load, show, shownUrl, withoutHash } from "./visit.ts";

/**
 * Shows the dialog of the page at `url` over this one. Navigates to a page without a dialog, and
 * from one task to another.
 */
export async function openOverlay(url: string, from: HTMLElement | null): Promise<void> {
  const answer = await load(url);
  if (!answer) return;
  const content = dialogOf(answer.document);
  if (!content || isTaskOverTask(content)) return location.assign(answer.url);
  if (!dialog().open) {
    setOpener(from);
    history.pushState(OVERLAY_STATE, "", answer.url);
  } else {
    if (!await mayDiscard(dialog())) return;
    history.replaceState(history.state, "", answer.url);
  }
  put(answer);
}

/**
 * Returns to the page below, by the history so that the dialog leaves no entry behind. Waits until
 * a form in transit is answered.
 */
export async function closeOverlay(): Promise<void> {
  await allSent();
  if (!await mayDiscard(dialog()) || !dialog().open) return;
  leave();
  restoreFocus();
  if (isOverState(history.state)) history.back();
  // The server rendered the overlay, so the page below has no entry of its own.
  else history.replaceState(null, "", shownUrl());
}

/** Takes over a dialog that came with the page or comes with a merged one, and makes it modal. */
export function adoptOverlay(signal: AbortSignal): void {
  // Fresh claims the history entry, and reloads the whole page when the user returns to it.
  if (!isOverState(history.state)) history.replaceState(null, "", location.href);
  const over = dialog();
  const close = (event: Event) => {
    event.preventDefault();
    closeOverlay().catch(reportError);
  };
  over.addEventListener("cancel", close);
  // Browsers let no page prevent the second of two cancel events without a click in between.
  // Handling the key avoids that.
  over.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) close(event);
  });
  followBackdrop(over, () => over.querySelector(".dialog"), () => {
    if (!mayLose(over)) closeOverlay().catch(reportError);
  });
  makeModal();
  document.addEventListener(SHOWN, makeModal, { signal });
  document.addEventListener("fullscreenchange", makeModal, { signal });
}

/** Whether the dialog has unsaved input, or shows something that cannot be shown again. */
const mayLose = (over: HTMLElement): boolean =>
  isHeld(over) || over.querySelector(".dialog[data-once]") !== null;

/**
 * Makes the dialog that came with a page modal. Whatever becomes modal is above everything else, so
 * a part of the dialog that is full screen already comes first.
 */
function makeModal(): void {
  const over = dialog();
  if (!over.open || over.matches(":modal") || over.contains(document.fullscreenElement)) return;
  const below = over.querySelector<HTMLAnchorElement>("a[data-cancel]");
  if (below) setBelow(below.href);
  document.querySelectorAll("[inert]").forEach((element) => element.removeAttribute("inert"));
  over.close();
  over.showModal();
  recordUrlBelow();
  // The browser has focused the first link of the head.
  focusIn(over);
  holdFocus();
}

/** Handles back and forward: opens or closes the overlay, and restores merged pages. */
export async function onHistory(state: unknown): Promise<void> {
  if (dialog().open && isHeld(dialog()) && location.href !== overAddress()) {
    // The browser has already moved, so this restores the entry before the user is asked.
    history.pushState(OVERLAY_STATE, "", overAddress());
    return await closeOverlay();
  }
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
