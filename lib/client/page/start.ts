import { type CopyTexts, followCopies } from "./copy.ts";
import { followChanges } from "./unsaved.ts";
import { followPage } from "./live.ts";
import { adoptOver, onHistory } from "./overlay_links.ts";
import { tick } from "./durations.ts";
import { followMarks } from "./stay.ts";
import { showFailure, tellAs } from "./messages.ts";

interface Reader {
  /** Announces a text to the screen reader. */
  tell(sentence: string): void;
  /** Flash message for a server that did not answer. */
  failure: Element;
  /** Flash message for success. */
  success: Element;
  copyTexts: CopyTexts;
}

/** Keeps the page up to date until `signal` aborts. */
export function startPage(reader: Reader, signal: AbortSignal): void {
  const { tell, failure, success } = reader;
  const fail = (error: unknown) => showFailure(failure, error);
  adoptOver(signal);
  followMarks(fail, signal);
  followCopies(reader.copyTexts, (sentence) => tellAs(success, sentence), fail, signal);
  followChanges(signal);
  followPage(tell, signal);
  tick(signal);
  const travelled = (event: Event) => void onHistory((event as PopStateEvent).state).catch(fail);
  addEventListener("popstate", travelled, { signal });
}
