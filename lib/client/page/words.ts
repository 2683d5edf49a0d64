/**
 * Lets a field with a list of words suggest the next one. Browsers compare suggestions with the
 * whole text, so each gets the words before it.
 */
export function followWords(signal: AbortSignal): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.list?.matches("[data-words]")) return;
    const before = /^.*[,\s]/.exec(target.value)?.[0] ?? "";
    const words = new Set(before.split(/[,\s]+/));
    for (const option of target.list.querySelectorAll("option")) {
      option.disabled = words.has(option.label);
      option.value = before + option.label;
    }
  }, { signal });
}
