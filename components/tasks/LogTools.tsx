import type { ComponentChildren } from "preact";
import type { useLogSearch } from "./log_search.ts";
import { IconButton } from "@/components/ui/Button.tsx";
import { inPlural, type PluralForms } from "@/lib/i18n/plural.ts";

/** The sentences of the log, in the reader's language. */
export interface TaskLogTexts {
  label: string;
  follow: string;
  wrap: string;
  full_screen: string;
  search: string;
  next: string;
  previous: string;
  searching: string;
  found: PluralForms;
  /** What was found, and in how many lines: "{{found}}", "{{lines}}". */
  found_so_far: string;
  /** "{{position}}" of what was found: "{{found}}". */
  found_at: string;
  lines: PluralForms;
  empty: string;
  reconnecting: string;
  copy: string;
  copied: string;
  copy_failed: string;
  copy_unavailable: string;
  close: string;
  download: string;
}

interface LogToolsProps {
  texts: TaskLogTexts;
  language: string;
  search: ReturnType<typeof useLogSearch>;
  /** How many lines there are. */
  total: number;
  isConnected: boolean;
  /** Whether the script runs: until then, nothing here would do anything. */
  isReady: boolean;
  /** What else the log offers. */
  children: ComponentChildren;
}

/** What stands above a log: the search, how much there is, and how it is looked at. */
export function LogTools(
  { texts, language, search, total, isConnected, isReady, children }: LogToolsProps,
) {
  return (
    <div class={`log-tools ${isReady ? "" : "log-tools-unready"}`}>
      <SearchField texts={texts} search={search} />
      <span class="log-count" role="status">
        {!isConnected
          ? texts.reconnecting
          : search.wanted
          ? foundText(texts, language, search, total)
          : inPlural(language, texts.lines, total)}
      </span>
      {children}
    </div>
  );
}

function SearchField({ texts, search }: Pick<LogToolsProps, "texts" | "search">) {
  return (
    <span class="log-search">
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={200}
        onInput={(event) => search.look(event.currentTarget.value)}
        onKeyDown={(event) => {
          const { key, shiftKey, currentTarget: field } = event;
          if (key === "Escape" && field.value !== "") {
            // What was typed is taken back first: only then is Escape the dialog's.
            event.preventDefault();
            event.stopPropagation();
            field.value = "";
            search.look("");
          } else if (key === "Enter") {
            event.preventDefault();
            if (shiftKey) search.previous();
            else search.next();
          }
        }}
      />
      <IconButton
        type="button"
        icon="chevron_up"
        label={texts.previous}
        disabled={search.found.lines.length === 0}
        onClick={search.previous}
      />
      <IconButton
        type="button"
        icon="chevron_down"
        label={texts.next}
        disabled={search.found.lines.length === 0}
        onClick={search.next}
      />
    </span>
  );
}

/** How much was found, and in how much of the log where that is not all of it. */
function foundText(
  texts: TaskLogTexts,
  language: string,
  { found: { lines, searched }, position }: LogToolsProps["search"],
  total: number,
): string {
  if (searched === 0 && total > 0) return texts.searching;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const found = inPlural(language, texts.found, lines.length);
  const where = position < 0
    ? found
    : texts.found_at.replace("{{position}}", number(position + 1)).replace("{{found}}", found);
  return searched >= total
    ? where
    : texts.found_so_far.replace("{{found}}", where).replace("{{lines}}", number(searched));
}

interface LogChoiceProps {
  label: string;
  checked: boolean;
  onChange(is: boolean): void;
}

/** How the log is looked at: something that is so or not. */
export const LogChoice = ({ label, checked, onChange }: LogChoiceProps) => (
  <label class="log-choice">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
