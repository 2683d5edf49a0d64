import { followChanges } from "./leave.ts";
import { followPage } from "./live.ts";
import { adoptOver, onHistory } from "./over_ways.ts";
import { tick } from "./since.ts";
import { followMarks } from "./stay.ts";
import { tellFailure } from "./told.ts";

interface Reader {
  /** Reads a sentence out when nothing else is read. */
  tell(sentence: string): void;
}

/** Keeps the page alive until `signal` aborts. */
export function startPage({ tell }: Reader, signal: AbortSignal): void {
  adoptOver();
  followMarks(tellFailure, signal);
  followChanges(signal);
  followPage(tell, signal);
  tick(signal);
  const travelled = (event: Event) =>
    void onHistory((event as PopStateEvent).state).catch(tellFailure);
  addEventListener("popstate", travelled, { signal });
}
