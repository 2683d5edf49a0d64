import { type CopyTexts, followCopies } from "./copy.ts";
import { followChanges } from "./unsaved.ts";
import { followPage } from "./live.ts";
import { adoptOver, onHistory } from "./overlay_links.ts";
import { tick } from "./durations.ts";
import { followMarks } from "./stay.ts";
import { tellAs, tellFailure } from "./messages.ts";

interface Reader {
  /** Reads a sentence out when nothing else is read. */
  tell(sentence: string): void;
  /** Says that the server did not answer. */
  failure: Element;
  /** What says that something is done. */
  success: Element;
  copyTexts: CopyTexts;
}

/** Keeps the page alive until `signal` aborts. */
export function startPage(reader: Reader, signal: AbortSignal): void {
  const { tell, failure, success } = reader;
  const fail = (error: unknown) => tellFailure(failure, error);
  adoptOver(signal);
  followMarks(fail, signal);
  followCopies(reader.copyTexts, (sentence) => tellAs(success, sentence), fail, signal);
  followChanges(signal);
  followPage(tell, signal);
  tick(signal);
  const travelled = (event: Event) => void onHistory((event as PopStateEvent).state).catch(fail);
  addEventListener("popstate", travelled, { signal });
}
