import { isHeld, mayDiscard } from "./unsaved.ts";
import { restoreFocus, setOpener } from "./opener.ts";
import {
  dialog,
  dialogOf,
  holdFocus,
  isOverState,
  leave,
  nameOver,
  OVER,
  overAddress,
  put,
  setBelow,
} from "./overlay.ts";
import { SHOWN } from "./lifetime.ts";
import { allSent, load, show, shownUrl, withoutHash } from "./visit.ts";

/** Shows the dialog of the page at `url` over this one. A page without one is gone to. */
export async function openOver(url: string, from: HTMLElement | null): Promise<void> {
  const answer = await load(url);
  if (!answer) return;
  if (!dialogOf(answer.document)) return location.assign(answer.url);
  if (!dialog().open) {
    setOpener(from);
    history.pushState(OVER, "", answer.url);
  } else {
    if (!await mayDiscard(dialog())) return;
    history.replaceState(history.state, "", answer.url);
  }
  put(answer);
}

/**
 * Goes back to the page below: by the history, so that the entry of the dialog is not left behind.
 * What becomes of a form that is on its way is seen first.
 */
export async function closeOver(): Promise<void> {
  await allSent();
  if (!await mayDiscard(dialog()) || !dialog().open) return;
  leave();
  restoreFocus();
  if (isOverState(history.state)) history.back();
  // The server put it there: what is below is no entry of its own.
  else history.replaceState(null, "", shownUrl());
}

/** Takes the dialog that came with the page, or comes with one, and gives it what only a script can. */
export function adoptOver(signal: AbortSignal): void {
  // Fresh marks the entry as its own, and loads the whole page anew when one comes back to it.
  if (!isOverState(history.state)) history.replaceState(null, "", location.href);
  const over = dialog();
  const close = (event: Event) => {
    event.preventDefault();
    closeOver();
  };
  over.addEventListener("cancel", close);
  // Of two in a row without a click, browsers let no page hinder the second one.
  over.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) close(event);
  });
  makeModal();
  document.addEventListener(SHOWN, makeModal, { signal });
}

/** Puts the dialog that a page has brought in front of all else. */
function makeModal(): void {
  const over = dialog();
  if (!over.open || over.matches(":modal")) return;
  const below = over.querySelector<HTMLAnchorElement>("a[data-cancel]");
  if (below) setBelow(below.href);
  document.querySelectorAll("[inert]").forEach((element) => element.removeAttribute("inert"));
  over.close();
  over.showModal();
  nameOver();
  holdFocus();
}

/** Back and forward: what lies over the page comes and goes, and pages that were merged return. */
export async function onHistory(state: unknown): Promise<void> {
  if (dialog().open && isHeld(dialog()) && location.href !== overAddress()) {
    // The browser has gone already; the question comes first.
    history.pushState(OVER, "", overAddress());
    return await closeOver();
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
