/** Forms with one select, which are sent once something is chosen. */
const SENT_AT_ONCE = "form[data-undo]";

/** Keys that open the list of a select. What is chosen there is meant. */
const OPENS = new Set([" ", "Enter", "F4"]);

export const isSentAtOnce = (form: HTMLFormElement): boolean => form.matches(SENT_AT_ONCE);

/**
 * Sends forms with `data-undo` once something is chosen. Arrow keys change a closed select at each
 * press, so a choice by keys is sent by Enter or when the form is left, and Escape takes it back.
 */
export function followChoices(signal: AbortSignal): void {
  let isByKey = false;
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (form: HTMLFormElement, event: DocumentEventMap[K]) => void,
  ) =>
    document.addEventListener(type, (event) => {
      const { target } = event;
      if (!(target instanceof HTMLSelectElement)) return;
      const form = target.closest<HTMLFormElement>(SENT_AT_ONCE);
      if (form) listener(form, event);
    }, { signal });

  listen("pointerdown", () => isByKey = false);
  listen("keydown", (form, event) => {
    isByKey = !event.altKey && !OPENS.has(event.key);
    if (event.key === "Escape") form.reset();
    if (event.key !== "Enter" || !isChanged(form)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  listen("change", (form) => {
    if (!isByKey) form.requestSubmit();
  });
  listen("focusout", (form, { relatedTarget }) => {
    if (isChanged(form) && !form.contains(relatedTarget as Node | null)) form.requestSubmit();
  });
}

const selectOf = (form: HTMLFormElement) => form.querySelector("select")!;
const storedIn = (form: HTMLFormElement): string =>
  [...selectOf(form).options].find(({ defaultSelected }) => defaultSelected)?.value ?? "";
const isChanged = (form: HTMLFormElement) => selectOf(form).value !== storedIn(form);

/**
 * Returns a function that adds a button to the message about the stored choice, which takes it
 * back. Its label is the form's `data-undo`.
 */
export function undoOf(form: HTMLFormElement): () => void {
  if (!isSentAtOnce(form)) return () => {};
  const before = storedIn(form);
  return () => {
    // A person may have lost the right to change it.
    if (!form.isConnected) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-secondary";
    button.textContent = form.dataset.undo!;
    button.addEventListener("click", () => {
      selectOf(form).value = before;
      selectOf(form).focus();
      form.requestSubmit();
    });
    document.querySelector("body > .flash > p")?.after(button);
  };
}
