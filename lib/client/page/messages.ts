/** What went wrong, in a sentence for the reader. */
export class ReadableError extends Error {}

/**
 * Tells in place of what was told: in what lies over the page, since all below it is inert, or in
 * what has the whole screen.
 */
export function putFlash(flash: Element | null): void {
  const place = document.fullscreenElement ?? document.querySelector("#over[open]") ??
    document.body;
  place.querySelectorAll(":scope > .flash").forEach((told) => told.remove());
  if (flash) place.append(flash);
}

/** Tells why something was not done: what `error` says to readers, or as `silent` that none came. */
export function tellFailure(silent: Element, error: unknown): void {
  tellAs(silent, error instanceof ReadableError ? error.message : undefined);
}

/** Tells `sentence` as `flash` does its own. */
export function tellAs(flash: Element, sentence?: string): void {
  const told = flash.cloneNode(true) as HTMLElement;
  if (sentence !== undefined) told.querySelector("p")!.textContent = sentence;
  putFlash(told);
}
