import { type RefObject, useEffect, useState } from "react";
import { type Choosable, choosable, findChoices } from "./find.ts";

/** A field with very many options. */
interface ChoiceField {
  id: string;
  name: string;
  required?: boolean;
  /** Says how many options the select shows at first. */
  count: string;
  chosen: Chosen;
}

interface Chosen {
  value: string;
  label: string;
}

interface Found {
  options: Choosable[];
  count: string;
  /** Position of the option that is marked at first; -1 for none. */
  best: number;
}

/** Delay after the last character typed. */
const TYPING_MS = 150;

/** Lets people search the options of a select, which holds the choice. */
export function useChoice(
  { id, name, required, count, chosen: first }: ChoiceField,
  select: RefObject<HTMLSelectElement>,
) {
  const [chosen, setChosen] = useState(first);
  /** The text in the field while it differs from the choice. */
  const [typed, setTyped] = useState<string | null>(null);
  const [found, setFound] = useState<Found>({ options: [], count, best: -1 });

  useEffect(() => {
    if (typed === null) return;
    return soon(async (signal) => {
      const result = await findChoices(
        select.current!.form!,
        { id, name, required },
        typed,
        signal,
      );
      if (signal.aborted) return;
      const best = typed.trim() === "" ? -1 : result.options.findIndex(({ value }) => value !== "");
      setFound({ ...result, best });
    });
  }, [typed]);

  return {
    ...found,
    chosen: chosen.value,
    text: typed ?? chosen.label,
    onType: setTyped,
    onOpen: () => setFound({ options: choosable(select.current!, required), count, best: -1 }),
    onClose() {
      setFound({ options: [], count, best: -1 });
      setTyped(null);
    },
    onChoose({ value, label }: Chosen) {
      setChosen({ value, label: value === "" ? "" : label });
      // Rendered first, so that the answer to a form that this sends finds the new choice.
      setTimeout(() => put(select.current!, { value, label }));
    },
  };
}

/** Calls `work` soon, unless the returned function is called. */
function soon(work: (signal: AbortSignal) => Promise<void>): () => void {
  const gone = new AbortController();
  const timer = setTimeout(() => {
    work(gone.signal).catch((error) => {
      if (!gone.signal.aborted) reportError(error);
    });
  }, TYPING_MS);
  return () => {
    clearTimeout(timer);
    gone.abort();
  };
}

/** Chooses an option as people do in a select. */
function put(select: HTMLSelectElement, { value, label }: Chosen): void {
  const isKnown = [...select.options].some((option) => option.value === value);
  if (!isKnown) select.add(new Option(label, value));
  select.value = value;
  for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}
