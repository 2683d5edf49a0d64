import type { TaskLogTexts } from "./log_texts.ts";
import type { LogStore } from "@/lib/client/output/log.ts";
import { IconButton } from "@/components/ui/Button.tsx";
import { inPlural } from "@/lib/i18n/plural.ts";
import { isAsked, SEARCH_LENGTH_MAX } from "@/lib/output/query.ts";
import { useComputed } from "@/lib/client/use_computed.ts";

interface LogSearchProps {
  search: LogStore["search"];
  texts: TaskLogTexts;
}

/** Search field of a log with its options, and buttons for the next and previous match. */
export function LogSearch({ search, texts }: LogSearchProps) {
  const isWrong = useComputed(() => search.problem.value !== "").value;
  const isEmpty = search.isEmpty.value;
  return (
    <span class="log-search" role="search">
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={SEARCH_LENGTH_MAX}
        spellcheck={false}
        aria-invalid={isWrong || undefined}
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
      <Toggle sign="Aa" label={texts.case} search={search} option="isExact" />
      <Toggle sign=".*" label={texts.regex} search={search} option="isRegex" />
      <IconButton
        type="button"
        icon="chevron_up"
        label={texts.previous}
        disabled={isEmpty}
        onClick={search.previous}
      />
      <IconButton
        type="button"
        icon="chevron_down"
        label={texts.next}
        disabled={isEmpty}
        onClick={search.next}
      />
    </span>
  );
}

interface ToggleProps {
  sign: string;
  label: string;
  search: LogStore["search"];
  option: "isExact" | "isRegex";
}

function Toggle({ sign, label, search, option }: ToggleProps) {
  const isOn = useComputed(() => search.query.value[option]).value;
  return (
    <button
      type="button"
      class="icon-button log-toggle"
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={() => search.look({ [option]: !isOn })}
    >
      {sign}
    </button>
  );
}

/** Number of matches, and how much of the log was searched if that is not all of it. */
export function foundText(
  { lines, search }: Pick<LogStore, "lines" | "search">,
  texts: TaskLogTexts,
  language: string,
): string {
  const [query, found, position] = [search.query.value, search.found.value, search.position.value];
  const problem = search.problem.value;
  const total = lines.total.value;
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
