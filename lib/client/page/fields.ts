/** Delay after the last character typed into a field of a form that is sent on change. */
const TYPING_MS = 200;

const SENT_ON_CHANGE = "form[data-stay]:not([method=post])";

/** Shows the answer to a form, or to a button in it. */
type Look = (form: HTMLFormElement, button: HTMLElement | null) => void;

/** Calls `look` whenever a field changes that has a form sent on change, or a button for it. */
export function followFields(look: Look, signal: AbortSignal): void {
  let typing: ReturnType<typeof setTimeout> | undefined;
  const stopTyping = () => clearTimeout(typing);
  document.addEventListener("change", ({ target }) => {
    const sent = sentOnChange(target);
    if (!sent) return;
    stopTyping();
    look(sent.form, sent.button);
  }, { signal });
  document.addEventListener("input", ({ target }) => {
    const sent = sentOnChange(target);
    if (!sent || !isTextField(target)) return;
    stopTyping();
    typing = setTimeout(() => look(sent.form, sent.button), TYPING_MS);
  }, { signal });
  // A submitted form replaces a pending preview.
  document.addEventListener("submit", stopTyping, { signal });
  // Handles text that was typed before the script was loaded.
  for (const form of document.querySelectorAll<HTMLFormElement>(SENT_ON_CHANGE)) {
    if ([...form.elements].some(isTyped)) look(form, null);
  }
}

/** Returns the form that is sent when a field changes, and the button that the field presses. */
function sentOnChange(target: EventTarget | null) {
  const { form, name } = target as HTMLInputElement;
  const button = name && form?.querySelector<HTMLElement>(`[data-on~="${CSS.escape(name)}"]`);
  if (form && button) return { form, button };
  return form?.matches(SENT_ON_CHANGE) ? { form, button: null } : null;
}

const isTextField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(text|search|number)$/.test(target.type);

const isTyped = (field: Element) => isTextField(field) && field.value !== field.defaultValue;
