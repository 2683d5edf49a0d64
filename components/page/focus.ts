/** Of a field that is wrong; the error stands beside an island, which knows nothing of it. */
const WRONG = ".field:has(> .field-error) :is(input, select, textarea), [aria-invalid=true]";
const FIELD = "input:not([type=hidden], [disabled]), select, textarea";
const ORDER = [WRONG, "[autofocus]", FIELD, ".form-bar a"];

/** What is wrong comes first, then what asks for it, then the first field, and last the way out. */
export function focusIn(root: ParentNode): void {
  ORDER.map((selector) => root.querySelector<HTMLElement>(selector)).find(Boolean)?.focus();
}

/** The first field that is wrong gets the focus, where one is. */
export function focusWrong(root: ParentNode): void {
  root.querySelector<HTMLElement>(WRONG)?.focus();
}
