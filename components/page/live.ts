import { merge } from "./merge.ts";
import { SHOWN } from "./shown.ts";
import { refresh, tellShown } from "./visit.ts";

/** Before a stream that was refused is asked for again. */
const RETRY_MS = 5_000;

/**
 * Follows the event stream that the page names, and merges the HTML that it brings. It ends while
 * the page is hidden; what happened meanwhile is told when it begins again. `tell` gets what is to
 * be read out.
 */
export function followPage(tell: (sentence: string) => void, signal: AbortSignal): void {
  let events: EventSource | null = null;
  let address = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = createWaitingRows();

  function close() {
    clearTimeout(timer);
    events?.close();
    events = null;
  }

  function open() {
    close();
    const url = document.querySelector<HTMLElement>("[data-live]")?.dataset.live ?? "";
    address = withoutSince(url);
    if (!url || document.hidden) return;
    const own = events = new EventSource(url);
    own.onmessage = ({ data }) => {
      const sentences = waiting.take(data);
      if (sentences.length > 0) tell(sentences.join(". "));
    };
    // Something happened before the stream had begun, or more than a stream should bring.
    own.addEventListener("stale", () => refresh().catch(() => {}));
    own.onerror = () => {
      // The browser comes back by itself, but not when the server refused.
      if (own.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, RETRY_MS);
    };
  }

  document.addEventListener("visibilitychange", open, { signal });
  document.addEventListener(SHOWN, () => {
    const url = document.querySelector<HTMLElement>("[data-live]")?.dataset.live ?? "";
    if (withoutSince(url) !== address) open();
  }, { signal });
  signal.addEventListener("abort", close);
  open();
}

/** What a page was like when it was made says nothing of which stream is its own. */
const withoutSince = (url: string) => url.replace(/([?&])since=[^&]*/, "$1");

/** New rows, which come when neither pointer nor keyboard is in their list: nothing jumps there. */
function createWaitingRows() {
  const lists = new WeakSet<Element>();

  /** Merges elements into the page; gives what is to be read out. */
  function take(html: string): string[] {
    const template = document.createElement("template");
    template.innerHTML = html;
    const told: string[] = [];
    for (const element of [...template.content.children] as HTMLElement[]) {
      const { told: sentence, into } = element.dataset;
      const known = document.getElementById(element.id);
      if (known) merge(known, element, "all");
      else if (into) add(into, element);
      if (sentence && (known || into)) told.push(sentence);
    }
    tellShown();
    return told;
  }

  function add(listId: string, row: HTMLElement) {
    const list = document.getElementById(listId);
    if (!list) return;
    // What stands where the list will be is another thing: the page knows how it looks then.
    if ("empty" in list.dataset) return void refresh().catch(() => {});
    if (!isInUse(list)) return put(list, row);
    row.hidden = true;
    put(list, row);
    if (lists.has(list)) return;
    lists.add(list);
    const show = () => {
      if (isInUse(list)) return;
      for (const child of list.children) (child as HTMLElement).hidden = false;
      lists.delete(list);
      list.removeEventListener("pointerleave", later);
      list.removeEventListener("focusout", later);
    };
    const later = () => setTimeout(show);
    list.addEventListener("pointerleave", later);
    list.addEventListener("focusout", later);
  }

  return { take };
}

const isInUse = (list: Element) => list.matches(":hover, :focus-within");

/** In front; a list stays as long as the page may be. */
function put(list: HTMLElement, row: HTMLElement): void {
  list.prepend(row);
  const limit = Number(list.dataset.limit ?? Infinity);
  while (list.children.length > limit) list.lastElementChild!.remove();
}
