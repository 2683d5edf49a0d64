/** Of a field that is wrong; the error stands beside an island, which knows nothing of it. */
const WRONG = ".field:has(> .field-error) :is(input, select, textarea), [aria-invalid=true]";
const FIELD = "input:not([type=hidden], [disabled]), select, textarea";
const ORDER = [WRONG, "[autofocus]", FIELD, ".form-bar a", ".dialog-head a"];

/** What is wrong comes first, then what asks for it, then the first field, and last the way out or the head. */
export function focusIn(root: ParentNode): void {
  ORDER.map((selector) => root.querySelector<HTMLElement>(selector)).find(Boolean)?.focus();
}

/** As `focusIn`, unless something in it has the focus. */
export function keepFocusIn(root: HTMLElement): void {
  if (!root.contains(document.activeElement)) focusIn(root);
}

/** The first field that is wrong gets the focus, where one is. */
export function focusWrong(root: ParentNode): void {
  root.querySelector<HTMLElement>(WRONG)?.focus();
}

/** Where the focus goes when the answer to `button` is shown: to what was added, or near what went. */
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

const STOPS = `${FIELD}, summary, button, a[href]`;
const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLElement>(FIELD)];
