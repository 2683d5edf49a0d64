import { allWoken } from "./islands.ts";
import { mergePage, noteBrought, readyToMerge } from "./merge.ts";
import { SHOWN } from "./lifetime.ts";
import { announceShown, refresh } from "./visit.ts";
import { followStream, SILENT_MS } from "./stream.ts";
import { STOPPING } from "../../http/server_event.ts";
import { bringSheets } from "./sheets.ts";
import { type Connection, type ServerListener, watchServer } from "./away.ts";
import { NOTICES_CHOSEN, noticesAddress, showNotice } from "./notices.ts";

export interface PageReader {
  /** Announces a text to the screen reader. */
  announce(sentence: string): void;
  /** Says whether the server stops or is lost, or the user has been signed out. */
  setConnection(connection: Connection): void;
  /** Address of the event stream for a page that names none. */
  events: string;
}

/**
 * Follows the event streams that the page and its overlay name, and merges the HTML that they
 * bring. The streams close while the page is hidden, except for the one with notifications. When
 * they open again, the server sends what happened in the meantime. The server is lost when none of
 * them has brought anything for a while. It stops while one of them is open that has said so.
 */
export function followPage(
  { announce, setConnection, events }: PageReader,
  signal: AbortSignal,
): void {
  const streams = new Map<string, () => void>();
  const waiting = createWaitingRows();
  const server = watchServer(events, setConnection);
  let isSignedOut = false;

  /** Asks the server no more until the page is hidden and shown again, or changes. */
  function stop() {
    isSignedOut = true;
    follow(true);
  }

  function onSignedOut() {
    stop();
    setConnection("signed_out");
  }

  function follow(hidden: boolean) {
    const marked = [...document.querySelectorAll<HTMLElement>("[data-live]")]
      .map(({ dataset }) => dataset.live!);
    const urls: string[] = hidden ? [] : marked.length > 0 ? marked : [events];
    const notices = isSignedOut ? null : noticesAddress(events);
    if (notices) urls.push(notices);
    const wanted = new Map(urls.map((url) => [withoutSince(url), url]));
    const wasOpen = streams.size > 0;
    for (const [address, close] of streams) {
      if (wanted.has(address)) continue;
      close();
      streams.delete(address);
      server.leave(address);
    }
    for (const [address, url] of wanted) {
      if (!streams.has(address)) {
        const listener = { ...server.listenerOf(address), take, signedOut: onSignedOut };
        streams.set(address, openStream(url, listener));
      }
    }
    if (wasOpen !== streams.size > 0) server.expect(wasOpen ? Infinity : SILENT_MS);
  }

  function take(elements: HTMLElement[]) {
    const sentences = waiting.take(elements);
    if (sentences.length > 0) announce(sentences.join(". "));
  }

  const look = () => {
    isSignedOut = false;
    follow(document.hidden);
  };
  document.addEventListener("visibilitychange", look, { signal });
  document.addEventListener(SHOWN, look, { signal });
  addEventListener(NOTICES_CHOSEN, look, { signal });
  addEventListener("storage", look, { signal });
  signal.addEventListener("abort", stop);
  look();
}

interface HtmlListener extends ServerListener {
  take(elements: HTMLElement[]): void;
  signedOut(): void;
}

/** Follows one event stream until the returned function is called. */
function openStream(url: string, { take, stopping, ...listener }: HtmlListener): () => void {
  const closing = new AbortController();
  /** Resolves when the last event is merged. A later one may need no style sheet to be loaded. */
  let merged = Promise.resolve();
  const merge = async (html: string) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    try {
      await Promise.all([allWoken(), readyToMerge(), bringSheets(template.content)]);
    } catch {
      return await refresh();
    }
    if (!closing.signal.aborted) take([...template.content.children] as HTMLElement[]);
  };
  followStream(() => url, {
    ...listener,
    take({ event, data }) {
      if (event === "notice") showNotice(data);
      else if (event === STOPPING) stopping();
      // A change came before the stream started, or the stream has too much to send.
      else if (event === "stale") refresh().catch(() => {});
      else merged = merged.then(() => merge(data)).catch(reportError);
    },
  }, closing.signal).catch(reportError);
  return () => closing.abort();
}

/**
 * Returns an address without `since`, because the version of the page does not identify the stream.
 */
const withoutSince = (url: string) => url.replace(/([?&])since=[^&]*/, "$1");

/**
 * Adds new rows, but hides them while the pointer or focus is in their list, so that nothing jumps.
 */
function createWaitingRows() {
  const lists = new WeakSet<Element>();

  /** Merges elements into the page, and returns texts for the screen reader. */
  function take(elements: HTMLElement[]): string[] {
    const announcements: string[] = [];
    for (const element of elements) {
      const { told: sentence, into } = element.dataset;
      const known = document.getElementById(element.id);
      noteBrought(known ?? element);
      if (known) mergePage(known, element, "all");
      else if (into) add(into, element);
      showColumns(element);
      if (sentence && (known || into)) announcements.push(sentence);
    }
    announceShown();
    return announcements;
  }

  function add(listId: string, row: HTMLElement) {
    const list = document.getElementById(listId);
    if (!list) return;
    // The list is still a placeholder. Reloading the page brings the real list.
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

/** Shows columns of a list that no row had a value in until `source` was merged into it. */
function showColumns(source: HTMLElement) {
  const merged = document.getElementById(source.id);
  const table = merged?.closest("table");
  if (!table?.dataset.blank) return;
  const cell = merged!.closest("td");
  const { filled = cell && !source.matches(".dash") ? String(cell.cellIndex + 1) : "" } =
    source.dataset;
  const shown = filled.split(" ");
  table.dataset.blank = table.dataset.blank.split(" ").filter((n) => !shown.includes(n)).join(" ");
}

const isInUse = (list: Element) => list.matches(":hover, :focus-within");

/** Prepends a row, and removes rows beyond the list's limit. */
function put(list: HTMLElement, row: HTMLElement): void {
  list.prepend(row);
  const limit = Number(list.dataset.limit ?? Infinity);
  while (list.children.length > limit) list.lastElementChild!.remove();
}
