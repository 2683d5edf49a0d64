import { FILTER_LENGTH_MAX, matcherOf } from "../../../lib/base/lists/table_state.ts";

/** Longer lists of options are searched instead of shown. */
const LISTED_MAX = 200;
/** Number of options that a search shows. */
const FOUND_MAX = 50;

export interface Option {
  value: string | number;
  label: string;
  /** Language of the label if it is not the reader's. */
  lang?: string;
  disabled?: boolean;
}

export interface OptionGroup {
  label: string;
  options: readonly Option[];
}

/** An option of a list that is searched. */
interface FoundOption {
  value: string;
  label: string;
  group?: string;
  /** Whether it is shown because it is chosen, although the search does not find it. */
  isKept?: boolean;
}

export interface FoundOptions {
  options: FoundOption[];
  /** Number of those of them that are found, and of all options. */
  shown: number;
  all: number;
}

/** Whether a list has so many options that it is searched. */
export const isSearched = (options: readonly (Option | OptionGroup)[]): boolean =>
  options.reduce((sum, entry) => sum + ("options" in entry ? entry.options.length : 1), 0) >
    LISTED_MAX;

/** Returns the first options with each word of `filter`, and those that are chosen. */
export function findOptions(
  options: readonly (Option | OptionGroup)[],
  filter: string,
  chosen: ReadonlySet<string>,
): FoundOptions {
  const matches = matcherOf(filter.slice(0, FILTER_LENGTH_MAX));
  const result: FoundOptions = { options: [], shown: 0, all: 0 };
  const add = ({ value, label }: Option, group?: string) => {
    result.all++;
    const isShown = result.shown < FOUND_MAX && matches([label]);
    if (isShown) result.shown++;
    else if (!chosen.has(String(value))) return;
    result.options.push({ value: String(value), label, group, isKept: !isShown || undefined });
  };
  for (const entry of options) {
    if ("options" in entry) { for (const option of entry.options) add(option, entry.label); }
    else add(entry);
  }
  return result;
}
