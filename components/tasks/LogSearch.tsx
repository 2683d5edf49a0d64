import type { TaskLogTexts } from "./log_texts.ts";
import type { useLogSearch } from "../../lib/client/output/search.ts";
import { IconButton } from "@/components/ui/Button.tsx";
import { inPlural } from "@/lib/i18n/plural.ts";
import { isAsked, SEARCH_LENGTH_MAX } from "@/lib/output/query.ts";

interface LogSearchProps {
  texts: TaskLogTexts;
  search: ReturnType<typeof useLogSearch>;
}

/** Search field of a log with its options, and buttons for the next and previous match. */
export function LogSearch({ texts, search }: LogSearchProps) {
  const { query, found, problem } = search;
  return (
    <span class="log-search" role="search">
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={SEARCH_LENGTH_MAX}
        spellcheck={false}
        aria-invalid={problem !== "" || undefined}
        onInput={(event) => search.look({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          const { key, shiftKey, currentTarget: field } = event;
          if (key === "Escape" && field.value !== "") {
            // The first Escape clears the field. Only the next one closes the dialog.
            event.preventDefault();
            event.stopPropagation();
            field.value = "";
            search.look({ text: "" });
          } else if (key === "Enter") {
            event.preventDefault();
            if (shiftKey) search.previous();
            else search.next();
          }
        }}
      />
      <Toggle
        sign="Aa"
        label={texts.case}
        isOn={query.isExact}
        set={(isExact) => search.look({ isExact })}
      />
      <Toggle
        sign=".*"
        label={texts.regex}
        isOn={query.isRegex}
        set={(isRegex) => search.look({ isRegex })}
      />
      <IconButton
        type="button"
        icon="chevron_up"
        label={texts.previous}
        disabled={found.lines.length === 0}
        onClick={search.previous}
      />
      <IconButton
        type="button"
        icon="chevron_down"
        label={texts.next}
        disabled={found.lines.length === 0}
        onClick={search.next}
      />
    </span>
  );
}

interface ToggleProps {
  sign: string;
  label: string;
  isOn: boolean;
  set(isOn: boolean): void;
}

const Toggle = ({ sign, label, isOn, set }: ToggleProps) => (
  <button
    type="button"
    class="icon-button log-toggle"
    aria-pressed={isOn}
    aria-label={label}
    title={label}
    onClick={() => set(!isOn)}
  >
    {sign}
  </button>
);

/** Number of matches, and how much of the log was searched if that is not all of it. */
export function foundText(
  { texts, search: { query, found, problem, position } }: LogSearchProps,
  language: string,
  total: number,
): string {
  if (!isAsked(query)) return inPlural(language, texts.lines, total);
  if (problem !== "") return problem;
  if (found.counted === 0 && total > 0) return texts.searching;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const all = inPlural(language, texts.found, found.found);
  const where = position < 0
    ? all
    : texts.found_at.replace("{{position}}", number(position + 1)).replace("{{found}}", all);
  return found.counted >= total
    ? where
    : texts.found_so_far.replace("{{found}}", where).replace("{{lines}}", number(found.counted));
}
