import { SHOWN } from "./lifetime.ts";

/**
 * Shows in each `[data-chosen]`, whose attribute is the sentence, how many boxes outside of its
 * form are ticked for it, until `signal` aborts.
 */
export function followChosen(signal: AbortSignal): void {
  const count = () => document.querySelectorAll<HTMLElement>("[data-chosen]").forEach(show);
  document.addEventListener("change", count, { signal });
  // A merge keeps ticked boxes.
  document.addEventListener(SHOWN, count, { signal });
  count();
}

function show(element: HTMLElement): void {
  const form = element.closest("form")!;
  const ticked = [...form.elements].filter((field) =>
    field instanceof HTMLInputElement && field.checked && !form.contains(field)
  );
  const text = element.dataset.chosen!.replace("{{number}}", String(ticked.length));
  if (element.textContent !== text) element.textContent = text;
}
