import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { onceGone } from "../page/lifetime.ts";
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

/** State of the field, and what people can do with it. */
export interface ChoiceState {
  root: RefObject<HTMLDivElement>;
  select: RefObject<HTMLSelectElement>;
  /** Whether its script has started. */
  isAwake: boolean;
  chosen: Chosen;
  /** The text in the field while it differs from the choice. */
  typed: string | null;
  isOpen: boolean;
  options: readonly Choosable[];
  /** Says how many options there are. */
  count: string;
  /** Position of the marked option; -1 for none. */
  active: number;
  type(words: string): void;
  open(): void;
  close(): void;
  /** Marks the next or the previous option. */
  move(step: 1 | -1): void;
  choose(option: Chosen): void;
}

/** Delay after the last character typed. */
const TYPING_MS = 150;

/** Lets people search the options of a select, which holds the choice. */
export function useChoice({ id, name, required, count, chosen: first }: ChoiceField): ChoiceState {
  const root = useRef<HTMLDivElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const hadFocus = useRef(false);
  const [isAwake, setAwake] = useState(false);
  const [chosen, setChosen] = useState(first);
  const [typed, setTyped] = useState<string | null>(null);
  const [found, setFound] = useState<{ options: Choosable[]; count: string } | null>(null);
  const [active, setActive] = useState(-1);
  const options = found?.options ?? [];

  useEffect(() => {
    hadFocus.current = root.current!.contains(document.activeElement);
    setAwake(true);
    return onceGone(root.current!, () => setFound(null));
  }, []);

  // The field that people type in replaces the one that was focused before the script started.
  useEffect(() => {
    if (!isAwake || !hadFocus.current) return;
    root.current!.querySelector<HTMLElement>("[role=combobox]")!.focus();
  }, [isAwake]);

  useEffect(() => {
    if (typed === null) return;
    return soon(async (signal) => {
      const form = root.current!.closest("form")!;
      const result = await findChoices(form, { id, name, required }, typed, signal);
      if (signal.aborted) return;
      setFound(result);
      setActive(typed.trim() === "" ? -1 : firstOf(result.options));
    });
  }, [typed]);

  const close = () => {
    setFound(null);
    setActive(-1);
    setTyped(null);
  };
  const open = () => {
    if (!found) setFound({ options: choosable(select.current!, required), count });
  };
  const move = (step: 1 | -1) => {
    const { length } = options;
    if (length === 0) return open();
    setActive(active === -1 && step === -1 ? length - 1 : (active + step + length) % length);
  };
  const choose = ({ value, label }: Chosen) => {
    setChosen({ value, label: value === "" ? "" : label });
    close();
    // Rendered first, so that the answer to a form that this sends finds the new choice.
    setTimeout(() => put(select.current!, { value, label }));
  };
  const state = { root, select, isAwake, chosen, typed, options, active };
  const isOpen = found !== null;
  return {
    ...state,
    isOpen,
    count: found?.count ?? count,
    type: setTyped,
    open,
    close,
    move,
    choose,
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

/** Position of the first option that chooses something. */
const firstOf = (options: readonly Choosable[]) => options.findIndex(({ value }) => value !== "");
