/**
 * Adds an entry to the history for a dialog without an address, so that Back calls `close`. Returns
 * a function that removes the entry of a dialog that is closed otherwise, and resolves then.
 */
export function addBackEntry(close: () => void): () => Promise<void> {
  let isLeft = false;
  history.pushState(history.state, "", location.href);
  const left = new Promise<void>((resolve) => {
    addEventListener("popstate", (event) => {
      // The page is the same, so no one else needs to know.
      event.stopImmediatePropagation();
      if (!isLeft) close();
      isLeft = true;
      resolve();
    }, { capture: true, once: true });
  });
  return () => {
    if (!isLeft) history.back();
    isLeft = true;
    return left;
  };
}
