import { createUi, type Ui } from "../../i18n/ui.ts";
import { type CopyTexts, followCopies } from "./copy.ts";
import { followChosen } from "./chosen.ts";
import { followChanges } from "./unsaved.ts";
import { followFills } from "./fill.ts";
import { followFolds } from "./folds.ts";
import { followPage, type PageReader } from "./live.ts";
import { readyToMerge } from "./merge.ts";
import { adoptOverlay, onHistory } from "./overlay_links.ts";
import { followAttributes } from "./stay.ts";
import { showFailure, showSentence } from "./messages.ts";
import { onceTouched } from "./touch.ts";
import { refresh } from "./visit.ts";
import { summarize, SUMMARY_NONE, SUMMARY_PARTS } from "../summary.ts";
import { SHOWN } from "./lifetime.ts";

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
  followCopies(reader.copyTexts, (sentence) => showSentence(success, sentence), fail, signal);
  followChanges(signal);
  followChosen(signal);
  followFills(signal);
  followFolds(signal);
  followSummaries(signal);
  followPage(reader, signal);
  // It is loaded before there is an answer to merge. Whatever merges tries again.
  onceTouched(() => void readyToMerge().catch(() => {}), signal);
  tick(signal);
  const travelled = (event: Event) => void onHistory((event as PopStateEvent).state).catch(fail);
  addEventListener("popstate", travelled, { signal });
}

/** Updates each element with `data-since`, `data-ago` or `data-until`. */
function tick(signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.hidden) return;
    const ticking = document.querySelectorAll<HTMLElement>(
      "[data-since], [data-ago], [data-until]",
    );
    if (ticking.length === 0) return;
    const language = document.documentElement.lang;
    const ui = createUi({ language, theme: "system", basePath: "", t: (key) => key });
    for (const element of ticking) {
      const text = tickingText(ui, element.dataset);
      if (element.textContent !== text) element.textContent = text;
    }
  }, SECOND_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** Returns the text of an element that is kept up to date. */
function tickingText(ui: Ui, { since, ago, until = "" }: DOMStringMap): string {
  if (since) return ui.duration(Date.now() - Date.parse(since));
  return ago ? ui.relativeTime(ago) : left(ui, until);
}

/** Time in which the server starts a task that is due, and its stream reports it. */
const START_MS = 5_000;
/** Times that have passed. The page was loaded again for each of them, once. */
const passed = new Set<string>();

/** Returns the text for a coming time. */
function left({ relativeTime }: Ui, until: string): string {
  const now = Date.now();
  const at = Date.parse(until);
  if (now - at > START_MS && !passed.has(until)) {
    passed.add(until);
    refresh().catch(() => {});
  }
  return relativeTime(until, Math.min(now, at));
}

/** Keeps the summary of each folded section up to date with its fields. */
function followSummaries(signal: AbortSignal): void {
  const lookIn = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(`[${SUMMARY_PARTS}]`).forEach(update);
  const look = ({ target }: Event) => {
    const section = (target as Element).closest("details.fold");
    if (section) lookIn(section);
  };
  document.addEventListener("input", look, { signal });
  document.addEventListener("change", look, { signal });
  // A merge may keep typed values that its answer does not know.
  document.addEventListener(SHOWN, () => lookIn(document), { signal });
  lookIn(document);
}

function update(summary: HTMLElement): void {
  const { elements } = summary.closest("form")!;
  const parts = JSON.parse(summary.getAttribute(SUMMARY_PARTS)!);
  const text = summarize(parts, (name) => {
    const [list, member] = name.split(".*.");
    if (!member) return shownValue(elements.namedItem(name));
    return [...elements as HTMLCollectionOf<HTMLInputElement>]
      .filter(({ name }) => name?.startsWith(`${list}.`) && name.endsWith(`.${member}`))
      .map(({ value }) => value).filter(Boolean).join(", ");
  });
  summary.textContent = text || summary.getAttribute(SUMMARY_NONE);
  summary.toggleAttribute("data-set", text !== "");
}

function shownValue(field: Node | RadioNodeList | null): string {
  if (field instanceof RadioNodeList) {
    return [...field].map(shownValue).filter(Boolean).join(", ");
  }
  if (field instanceof HTMLSelectElement) return field.value && field.selectedOptions[0].text;
  if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
    return field.checked && field.value ? field.labels?.[0]?.textContent.trim() || field.value : "";
  }
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value
    : "";
}
