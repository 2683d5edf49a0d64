import { ReadableError } from "./messages.ts";

/** The sentences about a copy that failed. */
export interface CopyTexts {
  /** "{{message}}" is filled in here. */
  failed: string;
  /** The message where the browser has no clipboard for this page. */
  unavailable: string;
}

/** Lets each `CopyButton` copy to the clipboard, and tells that it is done. */
export function followCopies(
  texts: CopyTexts,
  tell: (sentence: string) => void,
  fail: (error: unknown) => void,
  signal: AbortSignal,
): void {
  document.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("button[data-copied]");
    if (!button) return;
    copy(button.dataset).then(
      () => tell(button.dataset.copied!),
      ({ message }) => fail(new ReadableError(texts.failed.replace("{{message}}", () => message))),
    );
  }, { signal });

  async function copy({ copy, copyOf, copyFrom }: DOMStringMap): Promise<void> {
    // There is one only on pages that came over https, or from the same machine.
    if (!navigator.clipboard) throw new Error(texts.unavailable);
    const text = copy ?? (copyOf ? document.getElementById(copyOf)?.textContent ?? "" : null);
    // Begun at once: some browsers copy only while they handle the press of a button.
    const content = text ?? answerOf(copyFrom!);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": content })]);
  }
}

async function answerOf(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return new Blob([await answer.text()], { type: "text/plain" });
}
