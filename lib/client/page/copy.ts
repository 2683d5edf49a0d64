import { ReadableError } from "./messages.ts";

/** Messages for a copy that failed. */
export interface CopyTexts {
  /** Message with the placeholder "{{message}}". */
  failed: string;
  /** The reason if the browser offers no clipboard to this page. */
  unavailable: string;
}

/** Makes each `CopyButton` copy to the clipboard and announce the result. */
export function followCopies(
  texts: CopyTexts,
  announce: (sentence: string) => void,
  fail: (error: unknown) => void,
  signal: AbortSignal,
): void {
  document.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("button[data-copied]");
    if (!button) return;
    copy(button.dataset).then(
      () => announce(button.dataset.copied!),
      ({ message }) => fail(new ReadableError(texts.failed.replace("{{message}}", () => message))),
    );
  }, { signal });

  async function copy({ copy, copyOf, copyFrom }: DOMStringMap): Promise<void> {
    // Only pages loaded over https, or from the same machine, have a clipboard.
    if (!navigator.clipboard) throw new Error(texts.unavailable);
    const text = copy ?? (copyOf ? document.getElementById(copyOf)?.textContent ?? "" : null);
    // Started immediately, because some browsers only copy while they handle the press of a button.
    const content = text ?? answerOf(copyFrom!);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": content })]);
  }
}

async function answerOf(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return new Blob([await answer.text()], { type: "text/plain" });
}
