/** An error with a message for the user. */
export class ReadableError extends Error {}

/**
 * Replaces the current message. It is shown in the overlay, because everything below is inert, or
 * in the full-screen element.
 */
export function putFlash(flash: Element | null): void {
  const container = document.fullscreenElement ?? document.querySelector("#over[open]") ??
    document.body;
  container.querySelectorAll(":scope > .flash").forEach((message) => message.remove());
  if (flash) container.append(flash);
}

/**
 * Shows the message of a `ReadableError`, or else `silent`, which says that the server did not
 * answer.
 */
export function showFailure(silent: Element, error: unknown): void {
  showSentence(silent, error instanceof ReadableError ? error.message : undefined);
}

/** Shows a copy of `flash` with `sentence` as its text. */
export function showSentence(flash: Element, sentence?: string): void {
  const message = flash.cloneNode(true) as HTMLElement;
  if (sentence !== undefined) message.querySelector("p")!.textContent = sentence;
  putFlash(message);
}
