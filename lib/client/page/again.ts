import { isTypedSince } from "./merge.ts";
import type { PageAnswer } from "./visit.ts";

/** The latest button that was pressed while its form was being sent; null for a key. */
const pressed = new WeakMap<HTMLFormElement, HTMLElement | null>();

export function notePressed(form: HTMLFormElement, button: HTMLElement | null): void {
  pressed.set(form, button);
}

/**
 * Returns a function that sends `form` again once the answer to `first` is shown, if a button was
 * pressed meanwhile that asks for something else: a field was changed since the request, or `first`
 * only redrew the form. It does not press a button that redraws the form, because the answer may
 * have moved its row, or one of a form that the answer has replaced.
 */
export function followPressed(
  form: HTMLFormElement,
  first: HTMLElement | null,
): (answer: PageAnswer) => void {
  pressed.delete(form);
  const address = form.getAttribute("action");
  return ({ askedAt }) => {
    const button = pressed.get(form);
    const isSame = form.isConnected && form.getAttribute("action") === address;
    if (button === undefined || redraws(button) || !isSame) return;
    if (redraws(first) || isTypedSince(form, askedAt)) form.requestSubmit(button);
  };
}

const redraws = (button: HTMLElement | null) => button !== null && "stay" in button.dataset;
