/** What our pages' policy lets scripts run by. Read at once: browsers hide it from then on. */
const nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";

/** Takes a page's scripts out of it, and gives the text of the one that wakes its islands. */
export function takeScript(page: Document): string {
  const scripts = [...page.querySelectorAll("script")];
  scripts.forEach((script) => script.remove());
  return scripts.map(({ text }) => text).find((text) => text.includes("boot(")) ?? "";
}

/** Told by a page's script once its islands are awake. */
const WOKEN = "callboard:woken";

/** Comes when all islands that were put into the document are awake. */
let woken: Promise<void> = Promise.resolve();
export async function allWoken(): Promise<void> {
  for (let seen; seen !== woken;) await (seen = woken);
}

/**
 * Wakes the islands of `page` that were put into the document. Those that live already are marked
 * no more, so that the page's own script finds the new ones only. Until it has come, nothing may be
 * merged: the marks would be taken for those of islands that are awake.
 */
export function wakeIslands(script: string): void {
  if (!hasMarks(document.body)) return;
  const element = document.createElement("script");
  element.type = "module";
  element.nonce = nonce;
  element.text = `${script}\n;document.dispatchEvent(new Event("${WOKEN}"));`;
  woken = new Promise((done) => {
    document.addEventListener(WOKEN, () => done(), { once: true });
    element.onerror = () => done(); // It did not come: the fields do without it.
  });
  document.body.append(element);
  element.remove();
}

/** Takes away the marks of islands that live on under the same id: they are not woken twice. */
export function dropKeptMarks(source: Element): void {
  for (const island of source.querySelectorAll<HTMLElement>("[data-island][id]")) {
    if (!document.getElementById(island.id)) continue;
    for (const mark of [island.previousSibling, island.nextSibling]) {
      if (mark instanceof Comment) mark.remove();
    }
  }
}

function hasMarks(root: Node): boolean {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    if ((walker.currentNode as Comment).data.startsWith("frsh:island:")) return true;
  }
  return false;
}
