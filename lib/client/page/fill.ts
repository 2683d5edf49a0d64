import { SHOWN } from "./lifetime.ts";
import { mergePage, readyToMerge } from "./merge.ts";
import { bringSheets } from "./sheets.ts";

interface FillRequest {
  url: string;
  /** Contents of the part's status before the request. */
  before: Node[];
  abort(): void;
}

/** Requests in progress, by the part of the page that each one fills. */
const asking = new Map<HTMLElement, FillRequest>();

/** The address that a part was last filled from. */
const filled = new WeakMap<HTMLElement, string>();

/**
 * Fills each `[data-fill]` from its address, with the fields in `data-fill-by` as the query: at
 * first, when one of these fields changes, and when its button is pressed. If there is no answer,
 * the part stays as it was, because it only helps to fill in its form.
 */
export function followFills(signal: AbortSignal): void {
  const look = () => {
    for (const [part, { abort }] of asking) if (!part.isConnected) abort();
    for (const part of document.querySelectorAll<HTMLElement>("[data-fill]")) {
      const url = addressOf(part);
      if ((asking.get(part)?.url ?? filled.get(part)) !== url) {
        fill(part, url, url).catch(reportError);
      }
    }
  };
  document.addEventListener("change", look, { signal });
  document.addEventListener(SHOWN, look, { signal });
  document.addEventListener("click", (event) => {
    const part = (event.target as Element).closest("button")?.closest<HTMLElement>("[data-fill]");
    if (!part) return;
    event.preventDefault();
    const url = addressOf(part);
    fill(part, url, `${url}&${part.dataset.fillAgain}`).catch(reportError);
  }, { signal });
  look();
}

function addressOf(part: HTMLElement): string {
  const { fill, fillBy } = part.dataset;
  const data = new FormData(part.closest("form")!);
  const query = fillBy!.split(" ").map((name) => [name, String(data.get(name) ?? "")]);
  return `${fill}?${new URLSearchParams(query)}`;
}

/** Fills a part from `url`, requested as `address`. A later request replaces an earlier one. */
async function fill(part: HTMLElement, url: string, address: string): Promise<void> {
  const earlier = asking.get(part);
  earlier?.abort();
  const status = part.querySelector("[role=status]")!;
  const before = earlier?.before ?? [...status.childNodes];
  const stopped = new AbortController();
  const request = { url, before, abort: () => stopped.abort() };
  asking.set(part, request);
  part.setAttribute("aria-busy", "true");
  status.textContent = part.dataset.fillBusy!;
  const html = await fetch(address, { signal: stopped.signal, redirect: "error" })
    .then((answer) => answer.ok ? answer.text() : "")
    .catch(() => "");
  const answer = new DOMParser().parseFromString(html, "text/html");
  await bringSheets(answer);
  if (asking.get(part) !== request) return;
  asking.delete(part);
  status.replaceChildren(...before);
  filled.set(part, url);
  part.removeAttribute("aria-busy");
  const [content] = answer.body.children;
  const old = part.firstElementChild!;
  if (!content) return;
  // Only a merge keeps the focus.
  if (!old.contains(document.activeElement)) return old.replaceWith(content);
  await readyToMerge();
  mergePage(old, content, "nothing");
}
