import { takeScript, wakeIslands } from "./islands.ts";
import { type Keep, merge } from "./merge.ts";
import { SHOWN } from "./shown.ts";

/** A page of ours as it was answered. */
export interface Answer {
  url: string;
  document: Document;
  /** What wakes its islands. */
  script: string;
  /** Whether the answer is another page's than the one that was asked. */
  isRedirected: boolean;
}

/** The address of the page that is shown, whatever lies over it; without the place in it. */
let shown = withoutHash(location.href);
export const shownUrl = (): string => shown;

/** Says which page is below what the server has put over it. */
export function setShownUrl(url: string): void {
  shown = withoutHash(url);
}

/** The page of an address. */
export function withoutHash(url: string): string {
  return url.replace(/#.*/s, "");
}

let newest = new AbortController();

/**
 * Asks for a page; null when a newer wish came in between, or when the browser was sent there
 * itself because it is none of ours: a download, or the way to sign in. Throws without a network.
 */
export async function load(url: string, init: RequestInit = {}): Promise<Answer | null> {
  newest.abort();
  const own = newest = new AbortController();
  document.documentElement.toggleAttribute("data-busy", true);
  try {
    const response = await fetch(url, { ...init, signal: own.signal });
    const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
    const page = isHtml ? parse(await response.text()) : null;
    if (own.signal.aborted) return null;
    if (!page?.getElementById("live-page")) {
      await response.body?.cancel().catch(() => {});
      location.assign(response.url);
      return null;
    }
    const { url: answered, redirected: isRedirected } = response;
    return { url: answered, document: page, script: takeScript(page), isRedirected };
  } catch (error) {
    if (own.signal.aborted) return null;
    throw error;
  } finally {
    if (own === newest) document.documentElement.toggleAttribute("data-busy", false);
  }
}

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");

/** Shows a page in the place of this one: what both have stays, with focus and scroll. */
export function show({ url, document: page, script }: Answer, keep: Keep): void {
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
  document.querySelectorAll(".flash").forEach((flash) => flash.remove());
  merge(document.body, page.body, keep);
  setShownUrl(url);
  wakeIslands(script);
  tellShown();
}

export const tellShown = (): void => void document.dispatchEvent(new Event(SHOWN));

/** Asks for the page that is shown once more, and shows what is new. */
export async function refresh(): Promise<void> {
  const answer = await load(shown);
  if (answer) show(answer, "all");
}
