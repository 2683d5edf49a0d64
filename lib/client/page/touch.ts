/** Calls `then` once someone uses the page by pointer or by keys, unless `signal` aborts before. */
export function onceTouched(then: () => void, signal: AbortSignal): void {
  const done = new AbortController();
  const touched = () => {
    done.abort();
    then();
  };
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"]) {
    document.addEventListener(type, touched, { signal: AbortSignal.any([signal, done.signal]) });
  }
}
