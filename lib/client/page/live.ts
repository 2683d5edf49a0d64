import { allWoken } from "./islands.ts";
import { merge } from "./merge.ts";
import { SHOWN } from "./lifetime.ts";
import { refresh, tellShown } from "./visit.ts";

/** Before a stream that was refused is asked for again. */
const RETRY_MS = 5_000;

/**
 * Follows the event streams that are named in the document, by the page and by what lies over it,
 * and merges the HTML that they bring. They end while the page is hidden; what happened meanwhile is
 * told when they begin again. `tell` gets what is to be read out.
 */
export function followPage(tell: (sentence: string) => void, signal: AbortSignal): void {
  const streams = new Map<string, () => void>();
  const waiting = createWaitingRows();

  function follow(hidden: boolean) {
    const marked = hidden ? [] : [...document.querySelectorAll<HTMLElement>("[data-live]")];
    const wanted = new Map(
      marked.map(({ dataset }) => [withoutSince(dataset.live!), dataset.live!]),
    );
    for (const [address, close] of streams) {
      if (wanted.has(address)) continue;
      close();
      streams.delete(address);
    }
    for (const [address, url] of wanted) {
      if (!streams.has(address)) streams.set(address, openStream(url, take));
    }
  }

  function take(html: string) {
    const sentences = waiting.take(html);
    if (sentences.length > 0) tell(sentences.join(". "));
  }

  const look = () => follow(document.hidden);
  document.addEventListener("visibilitychange", look, { signal });
  document.addEventListener(SHOWN, look, { signal });
  signal.addEventListener("abort", () => follow(true));
  look();
}

/** Follows one event stream, for ever; gives what ends that. */
function openStream(url: string, take: (html: string) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let events: EventSource;

  function open() {
    const stream = events = new EventSource(url);
    events.onmessage = async ({ data }) => {
      await allWoken();
      if (stream.readyState !== EventSource.CLOSED) take(data);
    };
    // Something happened before the stream had begun, or more than a stream should bring.
    events.addEventListener("stale", () => refresh().catch(() => {}));
    events.onerror = () => {
      // The browser comes back by itself, but not when the server refused.
      if (events.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, RETRY_MS);
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    events.close();
  };
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
