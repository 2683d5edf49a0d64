import { createUi } from "../../i18n/ui.ts";
import { type CopyTexts, followCopies } from "./copy.ts";
import { followChanges } from "./unsaved.ts";
import { followPage, type PageReader } from "./live.ts";
import { adoptOverlay, onHistory } from "./overlay_links.ts";
import { followAttributes } from "./stay.ts";
import { showFailure, tellAs } from "./messages.ts";

const SECOND_MS = 1_000;

interface Reader extends PageReader {
  /** Flash message for a server that did not answer. */
  failure: Element;
  /** Flash message for success. */
  success: Element;
  copyTexts: CopyTexts;
}

/** Keeps the page up to date until `signal` aborts. */
export function startPage(reader: Reader, signal: AbortSignal): void {
  const { failure, success } = reader;
  const fail = (error: unknown) => showFailure(failure, error);
  adoptOverlay(signal);
  followAttributes(fail, signal);
  followCopies(reader.copyTexts, (sentence) => tellAs(success, sentence), fail, signal);
  followChanges(signal);
  followPage(reader, signal);
  tick(signal);
  const travelled = (event: Event) => void onHistory((event as PopStateEvent).state).catch(fail);
  addEventListener("popstate", travelled, { signal });
}

/** Updates each element with `data-since` to show the time since then. */
function tick(signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.hidden) return;
    const running = document.querySelectorAll<HTMLElement>("[data-since]");
    if (running.length === 0) return;
    const language = document.documentElement.lang;
    const { duration } = createUi({ language, theme: "system", basePath: "", t: (key) => key });
    for (const element of running) {
      element.textContent = duration(Date.now() - Date.parse(element.dataset.since!));
    }
  }, SECOND_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}
