/** Told on the document after HTML has come or gone. */
export const SHOWN = "callboard:shown";

/** Calls `end` once the element has left the document: nothing else tells an island that it has. */
export function onceGone(element: Element, end: () => void): () => void {
  const look = () => {
    if (element.isConnected) return;
    forget();
    end();
  };
  const forget = () => document.removeEventListener(SHOWN, look);
  document.addEventListener(SHOWN, look);
  return forget;
}
