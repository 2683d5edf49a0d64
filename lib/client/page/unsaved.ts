import { noteTyping } from "./merge.ts";

/** Forms that somebody has typed into, and that are not saved yet. */
const changed = new WeakSet<HTMLFormElement>();

const FORMS = "form[method=post]";

/** Whether something in `root` would be lost with it; what is on its way to the server is not. */
const isChanged = (root: ParentNode): boolean =>
  [...root.querySelectorAll<HTMLFormElement>(FORMS)]
    .some((form) => changed.has(form) && form.getAttribute("aria-busy") !== "true");

/** Whether `root` may not go yet: something would be lost, or is on its way to the server. */
export const isHeld = (root: ParentNode): boolean =>
  isChanged(root) || root.querySelector(`${FORMS}[aria-busy=true]`) !== null;

/** Notes which forms are typed into, and has the browser ask before the page is left with one. */
export function followChanges(signal: AbortSignal): void {
  const options = { signal };
  const formOf = ({ target }: Event) => (target as Element).closest<HTMLFormElement>(FORMS);
  document.addEventListener("input", (event) => {
    const form = formOf(event);
    if (form) changed.add(form);
    noteTyping(event);
  }, options);
  document.addEventListener("reset", (event) => {
    changed.delete(event.target as HTMLFormElement);
  }, options);
  // After the listener that may send it without leaving the page.
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!event.defaultPrevented) changed.delete(form);
    else if (event.submitter && "stay" in event.submitter.dataset) changed.add(form);
  }, options);
  // Who presses Cancel has been asked already.
  document.addEventListener("click", ({ target }) => {
    const form = (target as Element).closest("a[data-cancel]")?.closest<HTMLFormElement>(FORMS);
    if (form) changed.delete(form);
  }, { ...options, capture: true });
  addEventListener("beforeunload", (event) => {
    if (isChanged(document)) event.preventDefault();
  }, options);
}

/** Comes when the last question's end was told, which is some time after it was closed. */
let answered: Promise<unknown> = Promise.resolve();

/** Asks before what was typed in `root` is lost; true at once where nothing was. */
export async function mayDiscard(root: ParentNode): Promise<boolean> {
  if (!isChanged(root)) return true;
  const question = document.getElementById("discard") as HTMLDialogElement;
  if (question.open) return false;
  await answered;
  if (question.open) return false;
  question.returnValue = "";
  question.showModal();
  answered = new Promise((closed) => question.addEventListener("close", closed, { once: true }));
  await answered;
  if (question.returnValue !== "discard") return false;
  forgetChanges(root);
  return true;
}

/** What was typed in `root` is saved, or not wanted any more. */
export const forgetChanges = (root: ParentNode): void =>
  root.querySelectorAll<HTMLFormElement>(FORMS).forEach((form) => changed.delete(form));
