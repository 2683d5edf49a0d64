/** A field with an error. The message is beside an island, which does not know about it. */
const WRONG = ".field:has(> .field-error) :is(input, select, textarea), [aria-invalid=true]";
const FIELD = "input:not([type=hidden], [disabled]), select, textarea";
const TAB = ".tabs [aria-current=page]";
const ORDER = [WRONG, "[autofocus]", TAB, FIELD, ".form-bar a", ".dialog-head a"];

/**
 * Focuses the first of these that is shown: a field with an error, an element with `autofocus`, the
 * chosen tab, a field, a link of the form's bar, a link of the head.
 */
export function focusIn(root: ParentNode): void {
  const shown = (selector: string) =>
    [...root.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
  ORDER.map(shown).find(Boolean)?.focus();
}

/** Like `focusIn`, unless an element in it already has the focus. */
export function keepFocusIn(root: HTMLElement): void {
  if (!root.contains(document.activeElement)) focusIn(root);
}

/** Focuses the first field with an error, if there is one. */
export function focusWrong(root: ParentNode): void {
  root.querySelector<HTMLElement>(WRONG)?.focus();
}

/**
 * Returns a function that sets the focus once the answer to `button` is shown. It goes to an added
 * field, or near the removed button.
 */
export function followButton(form: HTMLFormElement, button: HTMLElement | null): () => void {
  const known = new Set(fieldsOf(form).map(({ id }) => id));
  const around: HTMLElement[] = [];
  for (let at = button; at; at = at.parentElement) around.push(at);
  return () => {
    const added = fieldsOf(form).find(({ id }) => !known.has(id));
    const near = around.find(({ isConnected }) => isConnected);
    if (added) added.focus();
    else if (near !== button) [...near?.querySelectorAll<HTMLElement>(STOPS) ?? []].at(-1)?.focus();
  };
}

/**
 * Returns a function that gives the focus to the nearest part around `element` that can have it and
 * is still there, if the focus is lost.
 */
export function keepFocusNear(element: HTMLElement): () => void {
  const around: HTMLElement[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.hasAttribute("tabindex")) around.push(at);
  }
  return () => {
    if (document.activeElement !== document.body) return;
    around.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
  };
}

const STOPS = `${FIELD}, summary, button, a[href]`;
const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLElement>(FIELD)];
