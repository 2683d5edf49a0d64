import { followBackdrop } from "./backdrop.ts";
import { noteTyping } from "./merge.ts";

/** Forms with input that is not saved yet. */
const changed = new WeakSet<HTMLFormElement>();

const FORMS = "form[method=post]";

/** Whether removing `root` would lose input. A form that is being sent does not count. */
const isChanged = (root: ParentNode): boolean =>
  [...root.querySelectorAll<HTMLFormElement>(FORMS)]
    .some((form) => changed.has(form) && form.getAttribute("aria-busy") !== "true");

/** Whether `root` must stay because it has unsaved input, or because a form is being sent. */
export const isHeld = (root: ParentNode): boolean =>
  isChanged(root) || root.querySelector(`${FORMS}[aria-busy=true]`) !== null;

/** Tracks forms with input, and has the browser ask before the page is left with one. */
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
  // Runs after the listener that may send it without leaving the page.
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!event.defaultPrevented) changed.delete(form);
    else if (isRewriting(event.submitter)) changed.add(form);
  }, options);
  // A user who presses Cancel has already been asked.
  document.addEventListener("click", ({ target }) => {
    const form = (target as Element).closest("a[data-cancel]")?.closest<HTMLFormElement>(FORMS);
    if (form) changed.delete(form);
  }, { ...options, capture: true });
  addEventListener("beforeunload", (event) => {
    if (isChanged(document)) event.preventDefault();
  }, options);
}

/** Whether a button changes what its form holds, as "add a question" does and a test does not. */
const isRewriting = (button: HTMLElement | null): boolean =>
  ["", "true"].includes(button?.dataset.stay ?? "test");

/**
 * Resolves after the close event of the last question, which comes some time after it was closed.
 */
let answered: Promise<unknown> = Promise.resolve();

/** Questions whose backdrop answers them. */
const followed = new WeakSet<HTMLDialogElement>();

/** Asks before input in `root` is lost. Returns true immediately if there is none. */
export async function mayDiscard(root: ParentNode): Promise<boolean> {
  if (!isChanged(root)) return true;
  const question = document.getElementById("discard") as HTMLDialogElement;
  if (question.open) {
    question.close(); // Back means to keep editing, like Escape.
    return false;
  }
  await answered;
  if (question.open) return false;
  question.returnValue = "";
  question.showModal();
  if (!followed.has(question)) followBackdrop(question, () => question, () => question.close());
  followed.add(question);
  answered = new Promise((closed) => question.addEventListener("close", closed, { once: true }));
  await answered;
  if (question.returnValue !== "discard") return false;
  forgetChanges(root);
  return true;
}

/** Marks the input in `root` as saved or discarded. */
export const forgetChanges = (root: ParentNode): void =>
  root.querySelectorAll<HTMLFormElement>(FORMS).forEach((form) => changed.delete(form));
