/** Event sent to the document after HTML was added or removed. */
export const SHOWN = "callboard:shown";

/**
 * Calls `end` once the element has left the document. Islands are not notified in any other way.
 */
export function onceGone(element: Element, end: () => void): () => void {
  const look = () => {
    if (element.isConnected) return;
    release();
    end();
  };
  const release = () => document.removeEventListener(SHOWN, look);
  document.addEventListener(SHOWN, look);
  return release;
}
