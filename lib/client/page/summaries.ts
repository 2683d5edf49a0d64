import { summarize, SUMMARY_NONE, SUMMARY_PARTS } from "../summary.ts";
import { SHOWN } from "./lifetime.ts";

/** Keeps the summary of each folded section up to date with its fields. */
export function followSummaries(signal: AbortSignal): void {
  const lookIn = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(`[${SUMMARY_PARTS}]`).forEach(update);
  const look = ({ target }: Event) => {
    const section = (target as Element).closest("details.fold");
    if (section) lookIn(section);
  };
  document.addEventListener("input", look, { signal });
  document.addEventListener("change", look, { signal });
  // A merge may keep typed values that its answer does not know.
  document.addEventListener(SHOWN, () => lookIn(document), { signal });
  lookIn(document);
}

function update(summary: HTMLElement): void {
  const { elements } = summary.closest("form")!;
  const parts = JSON.parse(summary.getAttribute(SUMMARY_PARTS)!);
  const text = summarize(parts, (name) => shownValue(elements.namedItem(name)));
  summary.textContent = text || summary.getAttribute(SUMMARY_NONE);
  summary.toggleAttribute("data-set", text !== "");
}

function shownValue(field: Element | RadioNodeList | null): string {
  if (field instanceof HTMLSelectElement) return field.value && field.selectedOptions[0].text;
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    return field.checked ? field.value : "";
  }
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value
    : "";
}
