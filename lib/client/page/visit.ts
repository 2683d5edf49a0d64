import { allWoken, takeScript, wakeIslands } from "./islands.ts";
import { type Keep, merge } from "./merge.ts";
import { SHOWN } from "./lifetime.ts";
import { ReadableError } from "./messages.ts";

/** A page of ours as it was answered. */
export interface Answer {
  url: string;
  document: Document;
  /** What wakes its islands. */
  script: string;
  /** Whether the answer is another page's than the one that was asked. */
  isRedirected: boolean;
  /** When it was asked for, in milliseconds of the page's life. */
  askedAt: number;
}

/** The address of the page that is shown, whatever lies over it; without the place in it. */
let shown = withoutHash(location.href);
export const shownUrl = (): string => shown;

export function setShownUrl(url: string): void {
  shown = withoutHash(url);
}

/** The page of an address. */
export function withoutHash(url: string): string {
  return url.replace(/#.*/s, "");
}

/** The newest page that was asked for: who wishes another one, does not wait for it any more. */
let newest = new AbortController();
export const giveUp = (): void => newest.abort();

/** Comes when no form is on its way, and the answer of the last one is shown. */
let sent: Promise<unknown> = Promise.resolve();
export const allSent = (): Promise<unknown> => sent;

/** Sends a form, and shows what comes: after those before it, and whatever else is wished meanwhile. */
export async function whileSending(work: () => Promise<void>): Promise<void> {
  giveUp();
  const own = sent.then(work);
  sent = own.catch(() => {});
  await own;
}

/** As `ask`, once no form is on its way; null also when a newer wish came in between. */
export async function load(url: string, init: RequestInit = {}): Promise<Answer | null> {
  giveUp();
  const { signal } = newest = new AbortController();
  await sent;
  try {
    const answer = signal.aborted ? null : await ask(url, { ...init, signal });
    return signal.aborted ? null : answer;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/**
 * Asks for a page; null when the browser was sent there itself because it is none of ours: a
 * download, or the way to sign in. Throws a `ReadableError` for a form that was not taken, and another
 * one without a network.
 */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer | null> {
  const askedAt = performance.now();
  const { response, page } = await fetchPage(url, init);
  if (isOurs(page)) return answerOf(response, page, askedAt);
  if (init.method === "POST" && !response.ok) throw new ReadableError(sentenceOf(response, page));
  location.assign(response.url);
  return null;
}

/** How many pages are on their way. */
let asking = 0;

async function fetchPage(url: string, init: RequestInit) {
  const busy = (more: number) =>
    document.documentElement.toggleAttribute("data-busy", (asking += more) > 0);
  busy(1);
  try {
    const response = await fetch(url, init);
    const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
    const page = isHtml ? parse(await response.text()) : null;
    if (!isHtml) await response.body?.cancel();
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

function answerOf(response: Response, page: Document, askedAt: number): Answer {
  const { url, redirected: isRedirected } = response;
  return { url, document: page, script: takeScript(page), isRedirected, askedAt };
}

const sentenceOf = ({ status, statusText }: Response, page: Document | null): string =>
  [...page?.querySelectorAll("#main .alert p") ?? []].at(-1)?.textContent ||
  `${status} ${statusText}`;

/** Shows a page in the place of this one: what both have stays, with focus and scroll. */
export function show(answer: Answer, keep: Keep): void {
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
  // One that is still there is not the same as one that comes: it is to be seen and read out.
  document.querySelectorAll("body > .flash").forEach((flash) => flash.remove());
  merge(document.body, page.body, keep, askedAt);
  setShownUrl(url);
  wakeIslands(script);
  tellShown();
}

export const tellShown = (): void => void document.dispatchEvent(new Event(SHOWN));

/**
 * Asks for the page that is shown once more, and shows what is new. Nobody wished for it: it takes
 * nothing from anybody, and leads nowhere.
 */
export async function refresh(): Promise<void> {
  const url = shown;
  const askedAt = performance.now();
  const { response, page } = await fetchPage(url, {});
  await sent;
  if (isOurs(page) && url === shown) show(answerOf(response, page, askedAt), "all");
}
