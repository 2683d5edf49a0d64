import { allWoken, takeScript, wakeIslands } from "./islands.ts";
import { type Keep, mergePage, MESSAGE, readyToMerge } from "./merge.ts";
import { SHOWN } from "./lifetime.ts";
import { ReadableError } from "./messages.ts";
import { isOfProxy } from "./away.ts";
import { bringSheets } from "./sheets.ts";

/** One of our pages, as the server answered it. */
export interface PageAnswer {
  url: string;
  document: Document;
  /** The script that starts its islands. */
  script: string;
  /** Whether the answer is a different page than the one requested. */
  isRedirected: boolean;
  /** Time of the request, in milliseconds since the page was opened. */
  askedAt: number;
}

/** Time of the request for the page that is shown, in milliseconds since it was opened. */
let shownAskedAt = 0;

/** Address of the page below any overlay, without its hash. */
let shown = withoutHash(location.href);
export const shownUrl = (): string => shown;

export function setShownUrl(url: string): void {
  shown = withoutHash(url);
}

/** Returns an address without its hash. */
export function withoutHash(url: string): string {
  return url.replace(/#.*/s, "");
}

/** The latest request for a page. A newer one cancels it. */
let newest = new AbortController();
export const cancelNewest = (): void => newest.abort();

/** Resolves when no form is being sent, and the answer to the last one is shown. */
let sent: Promise<unknown> = Promise.resolve();
export const allSent = (): Promise<unknown> => sent;

/** Sends a form and shows its answer. Waits for earlier forms, and delays all other requests. */
export async function whileSending<Result>(work: () => Promise<Result>): Promise<Result> {
  cancelNewest();
  const own = sent.then(work);
  sent = own.catch(() => {});
  return await own;
}

/**
 * Like `ask`, but waits until no form is being sent. Also returns null if a newer request canceled
 * it.
 */
export async function load(url: string, init: RequestInit = {}): Promise<PageAnswer | null> {
  cancelNewest();
  const { signal } = newest = new AbortController();
  await sent;
  try {
    const answer = signal.aborted ? null : await requestPage(url, { ...init, signal });
    return signal.aborted ? null : answer;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/**
 * Requests a page. Returns null if the browser navigated there because it is not one of our pages,
 * such as a download or the sign-in page. Throws a `ReadableError` for a rejected form, and another
 * error if the network fails or a proxy finds no server.
 */
export async function requestPage(url: string, init: RequestInit = {}): Promise<PageAnswer | null> {
  const askedAt = performance.now();
  const { response, page } = await fetchPage(url, init);
  if (isOurs(page)) return answerOf(response, page, askedAt);
  if (isOfProxy(response.status)) throw new Error(`${response.status}`);
  if (init.method === "POST" && !response.ok) throw new ReadableError(sentenceOf(response, page));
  location.assign(response.url);
  return null;
}

/** Number of pending requests. */
let asking = 0;

async function fetchPage(url: string, init: RequestInit) {
  const busy = (more: number) =>
    document.documentElement.toggleAttribute("data-busy", (asking += more) > 0);
  busy(1);
  try {
    // A server of a later build does not have what a merge needs any more.
    const ready = readyToMerge().then(() => true, () => false);
    const response = await fetch(url, init);
    const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
    const page = isHtml && await ready ? parse(await response.text()) : null;
    if (!page) await response.body?.cancel();
    else if (isOurs(page)) await bringSheets(page);
    await allWoken();
    return { response, page };
  } finally {
    busy(-1);
  }
}

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");

const isOurs = (page: Document | null): page is Document =>
  Boolean(page?.getElementById(LIVE_PAGE));
const LIVE_PAGE = "live-page";

function answerOf(response: Response, page: Document, askedAt: number): PageAnswer {
  const { url, redirected: isRedirected } = response;
  return { url, document: page, script: takeScript(page), isRedirected, askedAt };
}

const sentenceOf = ({ status, statusText }: Response, page: Document | null): string =>
  [...page?.querySelectorAll("#main .alert p") ?? []].at(-1)?.textContent ||
  `${status} ${statusText}`;

/**
 * Replaces the current page. Elements that both pages have stay, with focus and scroll position. A
 * refresh also keeps the message, which may not have been read.
 */
export function show(answer: PageAnswer, keep: Keep, isRefresh = false): void {
  const { url, document: page, script, askedAt } = answer;
  const { documentElement: root } = document;
  root.lang = page.documentElement.lang;
  const { theme } = page.documentElement.dataset;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  document.title = page.title;
  for (const meta of page.querySelectorAll<HTMLMetaElement>("meta[name=color-scheme]")) {
    document.querySelector<HTMLMetaElement>("meta[name=color-scheme]")!.content = meta.content;
  }
  // An old message is not the same as a new one with the same text, which must be seen and
  // announced.
  if (!isRefresh || page.querySelector(MESSAGE)) {
    document.querySelectorAll(MESSAGE).forEach((message) => message.remove());
  }
  mergePage(document.body, page.body, keep, askedAt, isRefresh);
  shownAskedAt = askedAt;
  setShownUrl(url);
  wakeIslands(script);
  announceShown();
}

export const announceShown = (): void => void document.dispatchEvent(new Event(SHOWN));

/**
 * Requests the current page again, and merges changes. The user did not ask for this, so it keeps
 * input and never navigates. The answer does not replace that of a later form or request.
 */
export async function refresh(): Promise<void> {
  await sent;
  const url = shown;
  const askedAt = performance.now();
  const { response, page } = await fetchPage(url, {});
  await sent;
  if (!page && response.ok) return location.reload();
  if (!isOurs(page) || url !== shown || askedAt < shownAskedAt) return;
  show(answerOf(response, page, askedAt), "all", true);
}
